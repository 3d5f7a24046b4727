"""What the logger plugin makes of Snakemake's errors before the first job."""

from pathlib import Path

import pytest
from snakemake_logger_plugin_corpusprep import mistakes

OF_RULES = """WorkflowError in file "/x/workflow/rules/common.smk", line 96:
corpusprep: error: config: memroy is not a setting
  File "/x/workflow/rules/common.smk", line 96, in <module>"""
OF_READING = "WorkflowError:\nConfig file is not valid JSON or YAML. In case of YAML, make sure to not mix tabs."


def test_an_error_of_the_rules_is_its_line() -> None:
    """Without the place in a rule's file."""
    assert mistakes.one_line(OF_RULES, []) == "corpusprep: error: config: memroy is not a setting"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--configfile", "good.yaml", "bad.yaml", "-n"],
        ["all", "--cores", "2", "--configfile=bad.yaml"],
        ["--configfiles", "bad.yaml"],
    ],
)
def test_a_config_that_snakemake_cannot_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """To say which it is, and in which line."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.yaml").write_text("corpora: {}\n", encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("corpora: {}\na: b: c\n", encoding="utf-8")
    line = mistakes.one_line(OF_READING, arguments)
    assert line == "corpusprep: error: bad.yaml, line 2: neither YAML nor JSON: mapping values are not allowed here"


def test_other_errors_stay(tmp_path: Path) -> None:
    """Snakemake's own, such as that of an unknown target."""
    (tmp_path / "good.yaml").write_text("corpora: {}\n", encoding="utf-8")
    assert mistakes.one_line("MissingRuleException: no rule", ["--configfile", str(tmp_path / "good.yaml")]) is None
    assert mistakes.one_line("MissingRuleException: no rule", []) is None
