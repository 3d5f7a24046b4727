"""The columns of a corpus: what its run says, and what is named, in commands and pages."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from support import made_verticals
from support.made_verticals import Made
from support.served import served

from corpusprep.commands.application import application
from corpusprep.inspection.columns import columns_of
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


def test_pages_know_them(corpus: Path) -> None:
    """Each corpus has its own, which lists offer and queries test."""
    made_verticals.write(corpus.parent / "plain", [[Made({"id": "d"}, [["went"]])]])
    with served(corpus.parent) as server:
        assert '<option value="lemma">' in server.ask("/c/lemmas/words").text
        assert '<option value="lemma">' not in server.ask("/c/plain/words").text
        assert "<bdi>went</bdi>" in server.ask("/c/lemmas/concordance?pattern=%5Blemma%3D%22go%22%5D").text
        assert "no column lemma" in server.ask("/c/plain/concordance?pattern=%5Blemma%3D%22go%22%5D").text
