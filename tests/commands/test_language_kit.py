"""`corpusprep language`: what `make` refuses before it makes a model; which languages are weak."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from corpusprep.commands.language_kit import list_known, make, show
from corpusprep.errors import LanguageError


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("cs", "a.txt", "a.txt: the name of a model ends in .model, such as cs.model"),
        ("cs", "model", "model: the name of a model ends in .model"),
        ("", "a.model", "the code '' is not allowed: a code has letters of ASCII, digits and hyphens only"),
        ("x/y", "a.model", "the code 'x/y' is not allowed"),
    ],
)
def test_a_model_that_no_command_could_use_is_not_made(tmp_path: Path, code: str, name: str, message: str) -> None:
    """A language is given by a code, or by a file whose name ends in .model."""
    result = CliRunner().invoke(make, [code, "--output", str(tmp_path / name)])
    assert isinstance(result.exception, LanguageError)
    assert message in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_weak_languages_are_marked() -> None:
    """In the list and where one is shown; the words of Czech were counted in much text."""
    listed = CliRunner().invoke(list_known).output.splitlines()
    assert [line.split()[2] for line in listed if line.startswith("lo ")] == ["(weak)"]
    assert not any("(weak)" in line for line in listed if line.startswith("cs "))
    assert "\nweak: " in CliRunner().invoke(show, ["lo"]).output
    assert "weak" not in CliRunner().invoke(show, ["cs"]).output
