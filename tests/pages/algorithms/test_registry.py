"""The algorithms by name: all of them can be made, and the config knows the same."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from corpusprep.commands.application import application
from corpusprep.config import load_schema
from corpusprep.errors import ConfigError
from corpusprep.pages.algorithms.registry import ALGORITHMS, algorithm
from corpusprep.pages.extraction import extract

SCHEMA = load_schema(Path(__file__).parents[3] / "workflow/schemas/config.schema.yaml")
PAGE = "<title>T</title><p><a href=x>Home</a></p><p>" + "The dog was in the house of a man and it was " * 9 + "</p>"


def test_the_config_knows_every_algorithm() -> None:
    """The schema's names are the registry's, in its order."""
    assert tuple(SCHEMA["$defs"]["boilerplate"]["properties"]["algorithm"]["enum"]) == ALGORITHMS


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_keeps_a_plain_text(name: str) -> None:
    """A long paragraph of grammatical text is good; a page without text has no blocks."""
    blocks = extract(PAGE, "en", name)
    assert [block.label for block in blocks if block.words > 50] == ["good"]
    assert all((block.label == "good") == (block.verdict == "kept") for block in blocks)
    assert extract("<p> </p>", "en", name) == []


@pytest.mark.parametrize(("name", "threshold"), [("baseline", "length_low"), ("word-count-filter", "length_high")])
def test_a_threshold_that_an_algorithm_lacks_is_named(name: str, threshold: str) -> None:
    """The message names algorithm and threshold."""
    with pytest.raises(ConfigError, match=f"{name} has no threshold '{threshold}'"):
        algorithm(name, **{threshold: 1})


def test_the_files_of_a_site_are_compared(tmp_path: Path) -> None:
    """`corpusprep extract` gives an algorithm for sites all its files at once."""
    files = []
    for number in (1, 2, 3):
        files.append(tmp_path / f"{number}.html")
        files[-1].write_text("<div>Menu</div><div>" + f"<p>Text {number}</p>" * number + "<p>Contact</p></div>")
    result = CliRunner().invoke(application, ["extract", "--algorithm", "density-site", *map(str, files)])
    assert result.output.split("\n") == ["Text 1", "Text 2", "Text 2", "Text 3", "Text 3", "Text 3", ""]
