"""The columns and structures of a corpus: what its run says, what is named, in commands and pages."""

import html
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from support import made_verticals
from support.made_verticals import Made
from support.served import served

from corpusprep.commands.application import application
from corpusprep.inspection.columns import columns_of
from corpusprep.inspection.query import parse
from corpusprep.inspection.unknown_names import unknown_names
from corpusprep.jobs import finished

pytestmark = pytest.mark.usefixtures("fresh_process")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A finished corpus with lemmas."""
    folder = made_verticals.write(
        tmp_path / "lemmas", [[Made({"id": "d", "lang": "en"}, [["went\tgo", "home\thome"]])]]
    )
    finished.write(folder, {"annotate.columns": ["lemma"]}, {})
    return folder


def test_columns_are_those_of_the_run(corpus: Path) -> None:
    """Unless others are named; a corpus without the file of its run, or with a damaged one, has words alone."""
    assert columns_of(corpus) == ("word", "lemma")
    assert columns_of(corpus, ("word", "tag")) == ("word", "tag")
    (corpus / finished.NAME).write_text("{", encoding="utf-8")
    assert columns_of(corpus) == ("word",)
    (corpus / finished.NAME).unlink()
    assert columns_of(corpus) == ("word",)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["words", "--attribute", "lemma"], "go"),
        (["search", '[lemma="go"]', "--by", "keyword"], "went"),
        (["collocations", '[lemma="go"]', "--attribute", "lemma"], "home"),
        (["words", "--attribute", "tag", "--columns", "word,tag"], "go"),
    ],
)
def test_commands_know_them(command: list[str], said: str, corpus: Path) -> None:
    """Without an option; those that it names come first."""
    name, *options = command
    done = CliRunner().invoke(application, [name, str(corpus), *options])
    assert (done.exit_code, said in done.stdout.split()) == (0, True), done.output


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ('went within <q type="x"/>', "<q>; there is <doc>, <p>"),
        ('went within <p kind="x"/>', "<p kind>; <p> has heading, block"),
        ('(meet went home 1 1) containing ("x" within <s/>)', "<s>; there is <doc>, <p>"),
        ("<s> went", "<s>; there is <doc>, <p>"),
        ('went within <p block="7"/>', ""),
        ("gone", ""),
    ],
)
def test_names_that_a_corpus_does_not_have(query: str, said: str, corpus: Path) -> None:
    """Are said where there are no hits, in the command and on the page."""
    assert unknown_names(corpus, parse(query)).endswith(said)
    assert bool(unknown_names(corpus, parse(query))) == bool(said)
    done = CliRunner().invoke(application, ["search", str(corpus), query])
    assert "0 hits" in done.stdout
    assert ("None of the first 100 documents has" in done.stdout) == bool(said)
    with served(corpus.parent) as server:
        text = html.unescape(server.ask("/c/lemmas/concordance?" + urlencode({"pattern": query})).text)
    assert ("None of the first 100 documents has" in text) == bool(said)


def test_pages_know_them(corpus: Path) -> None:
    """Each corpus has its own, which lists offer and queries test."""
    made_verticals.write(corpus.parent / "plain", [[Made({"id": "d"}, [["went"]])]])
    with served(corpus.parent) as server:
        assert '<option value="lemma">' in server.ask("/c/lemmas/words").text
        assert '<option value="lemma">' not in server.ask("/c/plain/words").text
        assert "<bdi>went</bdi>" in server.ask("/c/lemmas/concordance?pattern=%5Blemma%3D%22go%22%5D").text
        assert "no column lemma" in server.ask("/c/plain/concordance?pattern=%5Blemma%3D%22go%22%5D").text
