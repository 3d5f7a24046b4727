"""The algorithms by name: all of them can be made, and an entry point is all that a new one takes."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from support import plugin_packages

from corpusprep.cleaners.registry import KIND, algorithm, model_file, names, registrations, side_table
from corpusprep.commands.application import application
from corpusprep.config.settings import load_schema
from corpusprep.errors import ConfigError
from corpusprep.extraction.library import extract
from corpusprep.io import plugins
from studies.evaluation.configurations import configurations

TEXTS = (
    "The dog was in the house of a man and it was " * 9,
    "Some of the neighbours had heard about it from others, and they came into the garden to look at it. " * 4,
    "The end.",
)
PAGE = "<title>T</title><p><a href=x>Home</a></p>" + "".join(f"<p>{text}</p>" for text in TEXTS)
ADDED = '''
"""Keeps headings and long blocks (Author 2026, 3.1)."""

from dataclasses import dataclass

import numpy as np

from corpusprep.cleaners.interface import VERDICTS, Algorithm, Registration, parameter, without_context


@dataclass(slots=True, frozen=True)
class LongThresholds:
    """The thresholds."""

    least_words: int = parameter(25, "Words below which a block is boilerplate.", minimum=0)


class LongBlocks(Algorithm):
    """Keeps headings and long blocks."""

    def __init__(self, thresholds):
        self.thresholds = thresholds

    def classify(self, blocks, references=None):
        """Classifies all blocks."""
        good = blocks.heading | (blocks.words >= self.thresholds.least_words)
        return without_context(np.where(good, 0, VERDICTS.index("boilerplate")).astype(np.uint8))


ALGORITHMS = (
    Registration(
        name="long-blocks",
        make=LongBlocks,
        description="Keeps headings and long blocks.",
        source="Author 2026, 3.1",
        parameters=LongThresholds(),
        evaluated={"long blocks": ""},
    ),
)
'''


def allowed() -> list[str]:
    """The names that the config's schema allows."""
    found: list[str] = load_schema()["$defs"]["boilerplate"]["properties"]["algorithm"]["anyOf"][0]["enum"]
    return found


def test_the_config_knows_every_algorithm() -> None:
    """The schema's names are the registry's, each once."""
    assert allowed() == sorted(set(names()))
    assert {"justext", "bte", "density-site", "stopword-filter"} <= set(names())


@pytest.mark.parametrize("name", names())
def test_every_algorithm_keeps_a_plain_text(name: str) -> None:
    """Long paragraphs of grammatical text are good; a page without text has no blocks."""
    blocks = extract(PAGE, "en", name)
    assert [block.label for block in blocks if block.words > 50] == ["good", "good"]
    assert all((block.label == "good") == (block.verdict == "kept") for block in blocks)
    assert extract("<p> </p>", "en", name) == []


def test_every_algorithm_is_described() -> None:
    """A sentence, a source, and parameters whose defaults are allowed."""
    for one in registrations():
        assert one.description.endswith(".")
        assert one.source
        for parameter in one.described_parameters():
            assert parameter.description.endswith(".")
            assert parameter.problem(parameter.default) == ""


def test_an_algorithm_of_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point adds an algorithm: to the schema, to what can be run, and to the evaluation."""
    known = [one.title for one in configurations()]
    plugin_packages.install(tmp_path, "long_blocks", ADDED, {"corpusprep.cleaners": {"long-blocks": "ALGORITHMS"}})
    plugin_packages.use(tmp_path, monkeypatch)
    assert "long-blocks" in allowed()
    assert [block.label for block in extract(PAGE, "en", "long-blocks")] == ["bad", "good", "good", "bad"]
    assert [block.label for block in extract(PAGE, "en", "long-blocks", least_words=1)] == ["good"] * 4
    assert sorted(one.title for one in configurations()) == sorted([*known, "long blocks"])
    (described,) = (one for one in registrations() if one.name == "long-blocks")
    (parameter,) = described.described_parameters()
    assert (parameter.name, parameter.type, parameter.default, parameter.minimum) == ("least_words", int, 25, 0)


def test_algorithms_of_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the studies register is known without them: the message says what to install."""
    registered = set(names()) - set(KIND.built_in)
    assert set(KIND.separate) == registered
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: ())
    monkeypatch.setattr(plugins, "_registered", plugins._registered.__wrapped__)
    assert "bte" in allowed()
    with pytest.raises(ConfigError, match=r"'bte' is of a package that is not installed: .*'corpusprep\[studies\]'"):
        algorithm("bte")


def test_a_job_imports_the_algorithm_that_it_uses() -> None:
    """Not the others."""
    script = (
        "import sys; from corpusprep.cleaners.registry import algorithm; algorithm('density-site');"
        "print(*sorted(name for name in sys.modules if name.startswith(('corpusprep.cleaners.', 'studies.'))))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    rooms = ("corpusprep.cleaners.", "studies.")
    assert done.stdout.split() == [
        *(f"{rooms[0]}{name}" for name in ("interface", "model_files", "registry")),
        *(f"{rooms[1]}baselines{name}" for name in ("", ".choice_of_pages", ".density", ".density_site", ".pieces")),
    ]


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("none", {}, "'none' is unknown; known: baseline, .*, or your own as my_module:MyCleaner"),
        ("baseline", {"length_low": 1}, "baseline has no parameter 'length_low'; it has none"),
        (
            "word-count-filter",
            {"length_high": 1},
            "word-count-filter has no parameter 'length_high'; it has length_low",
        ),
        ("justext", {"preset": "E"}, "justext preset 'E' is unknown; known: A, B, C, D"),
        ("justext", {"parameters": {"length_low": 1.5}}, r"length_low is 1\.5; allowed: a whole number, at least 0"),
        ("justext", {"parameters": {"length_low": True}}, "length_low is True; allowed: a whole number"),
        ("justext", {"parameters": {"max_link_density": 2}}, "allowed: a number, at least 0, at most 1"),
        ("justext", {"parameters": {"length_low": 1}, "length_low": 1}, "length_low is given twice"),
    ],
)
def test_a_mistake_is_named(name: str, settings: dict[str, Any], message: str) -> None:
    """The message names algorithm, parameter, and what is allowed."""
    with pytest.raises(ConfigError, match=message):
        algorithm(name, **settings)


def test_parameters_of_any_algorithm() -> None:
    """Also those that are no thresholds of jusText."""
    heading = "<h1>Head</h1>" + "<p>a b</p>" * 12 + PAGE
    far = extract(heading, "en", "justext-pypi", max_heading_distance=1)
    near = extract(heading, "en", "justext-pypi", max_heading_distance=200)
    assert (far[0].label, near[0].label) == ("bad", "good")


def test_numbers_of_numpy_are_parameters() -> None:
    """A loop over thresholds often gives them; whole numbers stay apart from others."""
    given = {"length_low": np.int64(5), "stopwords_low": np.float32(0.25)}
    plain = {"length_low": 5, "stopwords_low": 0.25}
    assert list(extract(PAGE, "en", "justext", **given)) == list(extract(PAGE, "en", "justext", **plain))
    for wrong in (np.float64(5.5), np.bool_(True), np.int64(-1)):
        with pytest.raises(ConfigError, match="allowed: a whole number, at least 0"):
            algorithm("justext", length_low=wrong)


def test_the_files_of_a_site_are_compared(tmp_path: Path) -> None:
    """`corpusprep extract` gives an algorithm for sites all its files at once."""
    assert [name for name in names() if side_table(name)] == ["density-site"]
    files = []
    for number in (1, 2, 3):
        files.append(tmp_path / f"{number}.html")
        files[-1].write_text("<div>Menu</div><div>" + f"<p>Text {number}</p>" * number + "<p>Contact</p></div>")
    result = CliRunner().invoke(application, ["extract", "--algorithm", "density-site", *map(str, files)])
    assert result.output.split("\n") == ["Text 1", "Text 2", "Text 2", "Text 3", "Text 3", "Text 3", ""]


def test_model_files_are_those_of_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the models of the package, nor what a user's own cleaner calls a model."""
    monkeypatch.setenv("HOME", "/home/me")
    assert model_file("content", {"model": "~/a.model"}) == Path("/home/me/a.model")
    assert model_file("texrex", {"model": "a.model", "threshold": 0.3}) == Path("a.model")
    for name, parameters in (
        ("content", {}),
        ("justext", {"length_low": 9}),
        ("texrex", {"model": "sv"}),
        ("my_module:MyCleaner", {"model": "a.model"}),
    ):
        assert model_file(name, parameters) is None
