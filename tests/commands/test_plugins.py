"""Tokenisers, annotators, language identifiers and kinds of input that an installed package or a user adds."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support import plugin_packages
from support.batch_fixture import Block, Page, write_batch, write_pages

from corpusprep.archive import inputs
from corpusprep.commands import annotate, encoding, language, tokens
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ConfigError, OwnCodeError
from corpusprep.io.files import zstd_chunks
from corpusprep.jobs.resources import step_settings
from corpusprep.jobs.workers import has_own_code
from corpusprep.pipeline import STEPS
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table

SOURCE = '''
from corpusprep.annotation.built_in import Annotator
from corpusprep.archive import html_files
from corpusprep.archive.inputs import InputKind


def letters(text):
    return iter("".join(text.split()))


LENGTHS = Annotator(
    ("length",), "the length of each token", (), lambda code: True, lambda code: lambda token: (str(len(token)),)
)


class Dogs:
    """Scores a text by its dogs."""

    threshold = 0.9

    def __init__(self, model, rivals):
        self.count = 1 + len(rivals)

    def scores(self, text):
        return [1.0 if "dog" in text else 0.5, *[0.0] * (self.count - 1)]


class Cats(Dogs):
    """Fails."""

    def scores(self, text):
        return [2.0]


BOX = InputKind(
    lambda path, start: start.startswith(b"BOX"),
    lambda stored, max_bytes: html_files.records(stored, max_bytes, html_files.Addresses()),
)
'''
POINTS = {
    "corpusprep.tokenizers": {"letters": "letters"},
    "corpusprep.annotators": {"lengths": "LENGTHS"},
    "corpusprep.identifiers": {"dogs": "Dogs", "cats": "Cats"},
    "corpusprep.inputs": {"box": "BOX"},
}
SECTIONS = {
    "letters": ("tokens", "tokenizer"),
    "LENGTHS": ("annotate", "annotator"),
    "Dogs": ("language", "method"),
    "Cats": ("language", "method"),
}
PAGES = [Page((Block("A dog ran."),)), Page((Block("A cat sat."),), url="http://b.example/")]


@pytest.fixture(params=["installed", "beside the config"])
def named(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Returns the name of a plugin in a config from that in its module; it is installed, or beside the config."""
    folder = tmp_path / "code"
    folder.mkdir()
    if request.param == "installed":
        plugin_packages.install(folder, "their_plugins", SOURCE, POINTS)
        plugin_packages.use(folder, monkeypatch)
        return str.lower
    (folder / "beside_a_config.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "beside_a_config", raising=False)
    return "beside_a_config:{}".format


def options(tmp_path: Path, step: str, plugin: str, name: str, **further: Any) -> list[str]:
    """The options of a step in a config that names a plugin, as the workflow gives them."""
    section, key = SECTIONS[plugin]
    config: dict[str, Any] = {"corpora": {"a": {"archives": ["a.warc"]}}, "language": {"code": "en"}}
    config[section] = {**config.get(section, {}), key: name, **further}
    corpus = resolve(config, load_schema(), tmp_path / "code")["a"]
    assert has_own_code(corpus) == (":" in name)
    return shlex.split(step_settings(STEPS[step], corpus))


def run(command: Any, folder: Path, *arguments: str) -> BatchFiles:
    """Runs the command of a step on the batch."""
    given = [str(folder), "--batch", "b00000", *arguments]
    done = CliRunner().invoke(command, given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return BatchFiles.of(folder, "b00000")


def lines(path: Path) -> list[str]:
    """The lines of a vertical, without structures."""
    text = b"".join(zstd_chunks(path)).decode()
    return [line for line in text.splitlines() if not line.startswith("<")]


def test_tokenisers(tmp_path: Path, named: Any) -> None:
    """A tokeniser gives the tokens of the vertical."""
    write_pages(tmp_path, PAGES)
    files = run(tokens.command, tmp_path, "--model", "en", *options(tmp_path, "tokens", "letters", named("letters")))
    assert lines(files.vertical) == list("Adogran.Acatsat.")


def test_annotators(tmp_path: Path, named: Any) -> None:
    """An annotator adds the columns that it names."""
    write_batch(tmp_path, PAGES)
    name = "lengths" if named("X") == "x" else named("LENGTHS")
    given = options(tmp_path, "annotate", "LENGTHS", name)
    assert given[given.index("--columns") + 1] == "length"
    files = run(annotate.command, tmp_path, *given)
    assert lines(files.annotated) == ["A\t1", "dog\t3", "ran\t3", ".\t1", "A\t1", "cat\t3", "sat\t3", ".\t1"]


def test_identifiers(tmp_path: Path, named: Any) -> None:
    """A language identifier decides which documents are kept, by its own threshold or by the config's."""
    write_pages(tmp_path, PAGES)
    for threshold, verdicts in (({}, ["kept", "language_score"]), ({"threshold": 0.2}, ["kept", "kept"])):
        given = options(tmp_path, "language", "Dogs", named("Dogs"), **threshold)
        files = run(language.command, tmp_path, "--model", "en", *given)
        assert read_table(files.language, schemas.LANGUAGE)["verdict"].to_list() == verdicts
    given = options(tmp_path, "language", "Cats", named("Cats"))
    with pytest.raises(OwnCodeError, match=r"scores gave \[2.0\]; allowed: [0-9]+ numbers from 0 to 1"):
        run(language.command, tmp_path, "--model", "en", *given)


def test_kinds_of_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package reads files that no built-in kind recognises."""
    plugin_packages.install(tmp_path, "their_plugins", SOURCE, POINTS)
    box = tmp_path / "archives" / "a.box"
    box.parent.mkdir()
    box.write_bytes(b"BOX" + b" of text" * 200)
    assert (inputs.kind(box), inputs.archives_in(box.parent)) == ("", [])
    plugin_packages.use(tmp_path, monkeypatch)
    assert (inputs.kind(box), inputs.archives_in(box.parent)) == ("box", [box])
    files = run(encoding.command, tmp_path, "--model", "en", "--archive", str(box), "--min-bytes", "1")
    assert read_table(files.encoding, schemas.ENCODING)["verdict"].to_list() == ["kept"]


@pytest.mark.parametrize(
    ("section", "settings", "message"),
    [
        ("tokens", {"tokenizer": "x:letters"}, "corpora.a.tokens: x:letters: there is no module x"),
        ("annotate", {"annotator": "simplema"}, "annotate.annotator is 'simplema'; did you mean simplemma"),
        ("annotate", {"annotator": "pathlib:Path"}, "corpora.a.annotate: pathlib:Path: it is no annotator"),
        ("language", {"code": "en", "method": "trigram"}, "language.method is 'trigram'; did you mean trigrams"),
        ("language", {"code": "en", "method": "x:Y"}, "corpora.a.language.method: x:Y: there is no module x"),
    ],
)
def test_mistakes(section: str, settings: dict[str, Any], message: str) -> None:
    """A config with one is refused."""
    config = {"corpora": {"a": {"archives": ["a.warc"]}}, "language": {"code": "en"}} | {section: settings}
    with pytest.raises(ConfigError, match=message):
        resolve(config, load_schema())


def test_a_crawl_of_several_languages_has_built_in_identifiers() -> None:
    """Its pages are divided by measures that others do not have."""
    corpus = {"archives": ["a.warc"], "languages": ["en", "cs"]}
    config = {"corpora": {"a": corpus}, "language": {"method": "pathlib:Path"}}
    with pytest.raises(
        ConfigError, match=r"language.method: pathlib:Path scores texts by models of .*to name languages"
    ):
        resolve(config, load_schema())
