"""What a finished corpus keeps of its settings, and how corpora that are made from finished ones compare them."""

from pathlib import Path
from typing import Any

import pytest

from corpusprep import __version__
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.jobs import finished

SCHEMA = load_schema()


def settings_of(**changes: Any) -> dict[str, Any]:
    """The settings of the pages of a corpus."""
    config = {"corpora": {"a": {"language": "en", "archives": ["a.warc.gz"]}}, **changes}
    return finished.page_settings(resolve(config, SCHEMA, checked=False)["a"])


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"encoding": {"min_bytes": 7}}, "encoding.min_bytes"),
        ({"boilerplate": {"algorithm": "justext", "length_low": 3}}, "boilerplate.length_low"),
        ({"language": {"threshold": 0.3}}, "language.threshold"),
        ({"tokens": {"sentences": True}}, "tokens.sentences"),
        ({"corpus": {"boilerplate": "keep"}}, "corpus.boilerplate"),
        ({"ngrams": {"n": 5}}, ""),
        ({"blocks": {"threshold": 0.2}}, ""),
        ({"memory": "1G", "batch_bytes": 1, "filter": {"preset": ["gopher"]}}, ""),
    ],
)
def test_settings_of_pages_decide(changes: dict[str, Any], key: str) -> None:
    """A change of what is done to single pages changes them, by its key; other settings do not."""
    before, after = settings_of(), settings_of(**changes)
    differing = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert key in differing if key else not differing


def test_other_corpora_decide_with_the_settings_of_their_ngrams() -> None:
    """Which text `against` leaves out depends on them."""
    against = {"blocks": {"against": ["old.jsonl"]}}
    assert settings_of(**against, ngrams={"n": 5}) != settings_of(**against)


def test_a_difference_is_named(tmp_path: Path) -> None:
    """From the corpus that is made, and between the finished ones: settings, and files."""
    own = {"encoding.min_bytes": 0, "ngrams.n": 10}
    same = {"settings": own | {"mixed": "main"}, "files": {"model en.model": "a"}, "version": __version__}
    finished.require_same(own, {Path("x"): same, Path("y"): same})
    for changed, message in (
        ({"settings": same["settings"] | {"encoding.min_bytes": 7}}, "y was made with encoding.min_bytes: 7, and this"),
        ({"settings": own}, "x was made with mixed: 'main', and y with mixed: nothing"),
        ({"files": {"model en.model": "b"}}, "x was made with one model en.model, and y with another model en.model"),
    ):
        with pytest.raises(ConfigError, match=message):
            finished.require_same(own, {Path("x"): same, Path("y"): same | changed})
    older = same | {"settings": {"ngrams.n": 10}, "version": "0.1"}
    finished.require_same(own, {Path("x"): same, Path("y"): older})
    assert finished.version_notes({Path("x"): same, Path("y"): older})[0].endswith(": y (0.1)")
    with pytest.raises(ConfigError, match=r"y was made with ngrams\.n: 5, and this corpus has 10"):
        finished.require_same(own, {Path("x"): same, Path("y"): older | {"settings": {"ngrams.n": 5}}})


def test_a_folder_that_is_not_finished(tmp_path: Path) -> None:
    """It is said what is wrong with it."""
    for name, message in (("none", "no such folder"), ("crawl", "several languages"), ("begun", "run its workflow")):
        if name != "none":
            (tmp_path / name).mkdir()
        if name == "crawl":
            (tmp_path / name / "division.tsv").touch()
        with pytest.raises(StageFileError, match=message):
            finished.read(tmp_path / name)
    for text in ("{", "[]", '{"settings": 1, "files": 2, "version": "3"}'):
        (tmp_path / "begun" / finished.NAME).write_text(text, encoding="utf-8")
        with pytest.raises(StageFileError, match="damaged"):
            finished.read(tmp_path / "begun")


def test_digests_are_those_of_content(tmp_path: Path) -> None:
    """Of a file whatever its place, of a folder with the names in it."""
    for folder, name in (("a", "x"), ("b", "x"), ("c", "y")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("text", encoding="utf-8")
    folders = finished.file_digests({name: tmp_path / name for name in "abc"})
    assert folders["a"] == folders["b"] != folders["c"]
    files = finished.file_digests({"a": tmp_path / "a" / "x", "c": tmp_path / "c" / "y"})
    assert files["a"] == files["c"]
