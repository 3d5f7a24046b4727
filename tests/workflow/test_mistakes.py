"""Config files that Snakemake cannot read: the logger plugin says which, and in which line."""

from pathlib import Path

import pytest
from snakemake_logger_plugin_corpusprep import mistakes


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
    """However the command line names it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.yaml").write_text("corpora: {}\n", encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("corpora: {}\na: b: c\n", encoding="utf-8")
    line = mistakes.of_config_files(arguments)
    assert line == "corpusprep: error: bad.yaml, line 2: neither YAML nor JSON: mapping values are not allowed here"


def test_other_errors_are_not_of_config_files(tmp_path: Path) -> None:
    """Such as that of an unknown target."""
    (tmp_path / "good.yaml").write_text("corpora: {}\n", encoding="utf-8")
    assert mistakes.of_config_files(["--configfile", str(tmp_path / "good.yaml")]) is None
    assert mistakes.of_config_files([]) is None
