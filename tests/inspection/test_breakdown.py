"""Hits by host, year, what was found and other values: against counts in plain Python."""

import html
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from support import made_verticals
from support.batch_fixture import Block, Page, write_batch
from support.corpus_layout import write_lists
from support.made_verticals import Made
from support.served import TOKEN, Served, served

from corpusprep.commands.search import command
from corpusprep.errors import ConfigError
from corpusprep.inspection import concordance
from corpusprep.inspection.breakdown import breakdown
from corpusprep.inspection.query import parse
from corpusprep.inspection.subcorpora import part_of
from corpusprep.inspection.word_lists import Corpus

pytestmark = pytest.mark.usefixtures("fresh_process")

made_documents = st.lists(
    st.builds(
        Made,
        st.fixed_dictionaries(
            {
                "id": st.uuids().map(str),
                "host": st.sampled_from(["a.example", "b&c.example", ""]),
                "date": st.sampled_from(["2020-01-01", "2021-05-06", ""]),
                "lang": st.just("en"),
            }
        ),
        st.lists(
            st.lists(st.sampled_from(["tea\tN", "Tea\tN", "&amp;\tP", "the\tD"]), min_size=1, max_size=9), max_size=2
        ),
    ),
    min_size=1,
    max_size=8,
)


@given(made_documents, st.integers(1, 3), st.sampled_from(["host", "year", "keyword", "tag", "lang"]))
def test_counts_are_those_of_plain_python(
    tmp_path_factory: pytest.TempPathFactory, documents: list[Made], batches: int, by: str
) -> None:
    """Of any corpus, in any number of batches."""
    folder = tmp_path_factory.mktemp("made")
    made_verticals.write(folder, [documents[number::batches] for number in range(batches)])
    hits: Counter[str] = Counter()
    held: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for document in made_verticals.read(folder):
        about = document.attributes
        whole = about.get("date", "")[:4] if by == "year" else about.get(by, "")
        held[whole] += 1
        for token in (token for block in document.blocks for token in block):
            tokens[whole] += 1
            if token[0].lower() == "tea":
                hits[{"keyword": token[0].lower(), "tag": token[1]}.get(by, whole)] += 1
    corpus = Corpus(folder, ("word", "tag"))
    if not any(held):  # then no document has the attribute
        return
    rows, counts = breakdown(corpus, parse("tea", corpus.columns), by)
    told = dict(zip(rows["item"], rows["hits"], strict=True))
    assert {item: number for item, number in told.items() if number} == hits == counts.values
    assert counts.hits == hits.total()
    if by in ("keyword", "tag"):
        assert rows.columns == ["item", "hits", "share"]
        return
    assert dict(zip(rows["item"], rows["tokens"], strict=True)) == {item: tokens[item] for item in told}
    assert dict(zip(rows["item"], rows["documents"], strict=True)) == {item: held[item] for item in told}
    for row in rows.iter_rows(named=True):
        assert row["per_million"] == pytest.approx(1e6 * row["hits"] / row["tokens"], abs=1e-4)
    if by == "year":
        assert rows["item"].to_list() == sorted(held)
    sizes, _ = breakdown(corpus, None, by)
    assert dict(zip(sizes["item"], sizes["tokens"], strict=True)) == tokens


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus about tea; its boilerplate says tea, too."""
    folder = tmp_path_factory.mktemp("results")
    pages = [
        Page((Block("Home | Tea shop", label="bad"), Block("She drinks strong tea.")), url="http://a.example/1"),
        Page((Block("Weak tea, strong tea."),), url="http://b.example/2", date="2021-05-06T00:00:00Z"),
        Page((Block("No coffee here."),), url="http://c.example/3", date="2022-05-06T00:00:00Z"),
    ]
    write_batch(folder / "tea", pages)
    write_lists(folder / "tea", ["b00000"])
    return folder


@pytest.fixture(scope="module")
def server(results: Path) -> Iterator[Served]:
    """The pages over it."""
    with served(results) as answering:
        yield answering


def test_attributes_that_no_document_has(results: Path, tmp_path: Path) -> None:
    """Are an error, under the name of documents; so are hits without a query."""
    made_verticals.write(tmp_path, [[Made({"id": "d"}, [["tea"]])]])
    with pytest.raises(ConfigError, match="no document of the corpus has the attribute date"):
        breakdown(Corpus(tmp_path), parse("tea"), "year")
    corpus = Corpus(results / "tea")
    with pytest.raises(ConfigError, match="no document of the corpus has the attribute colour"):
        breakdown(corpus, parse("tea"), "colour")
    with pytest.raises(ConfigError, match="by keyword: give a query"):
        breakdown(corpus, None, "keyword")


def test_values_are_bounded(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More of them than are held are refused."""
    monkeypatch.setattr(concordance, "MOST_VALUES", 1)
    with pytest.raises(concordance.TooManyLinesError, match="more than 1 values"):
        breakdown(Corpus(results / "tea"), parse("tea"), "host")


def test_removed_text_and_parts(results: Path) -> None:
    """Hits in what a stage removed have no sizes; of a part, only its documents count."""
    corpus = Corpus(results / "tea")
    rows, _ = breakdown(corpus, parse("tea"), "host", stage="boilerplate")
    assert rows.rows() == [("a.example", 1, 100.0)]
    rows, _ = breakdown(corpus, parse("tea"), "year", part=part_of(corpus.folder, 'date>="2021"', None))
    assert rows.select("item", "hits", "documents").rows() == [("2021", 2, 1), ("2022", 0, 1)]


def test_the_command_and_the_page_say_the_same(results: Path, server: Served) -> None:
    """With links from each value to its hits, and from a hit to the block of its page."""
    printed = CliRunner().invoke(command, [str(results / "tea"), "tea", "--by", "year", "--format", "json"])
    rows = [json.loads(line) for line in printed.stdout.splitlines()]
    assert [(row["item"], row["hits"]) for row in rows if row["hits"]] == [("2020", 1), ("2021", 2)]
    text = server.ask("/c/tea/distribution?pattern=tea").text
    assert server.ask("/c/tea/distribution?pattern=tea&format=json").text.splitlines() == printed.stdout.splitlines()
    assert f"corpusprep search {results}/tea tea" in text.replace("\\\n    ", "")
    chosen = 'date>="2021"'
    printed = CliRunner().invoke(
        command, [str(results / "tea"), "tea", "--where", chosen, "--by", "year", "--format", "json"]
    )
    text = server.ask("/c/tea/distribution?" + urlencode({"pattern": "tea", "where": chosen})).text
    assert f"--where '{chosen}'" in html.unescape(text)
    path = "/c/tea/distribution?" + urlencode({"pattern": "tea", "where": chosen, "format": "json"})
    assert server.ask(path).text.splitlines() == printed.stdout.splitlines()
    assert [json.loads(line)["item"] for line in printed.stdout.splitlines()] == ["2021", "2022"]
    lines = CliRunner().invoke(command, [str(results / "tea"), "tea", "--where", chosen, "--format", "tsv"])
    assert len(lines.stdout.splitlines()) == 1 + 2
    for by in ("year", "host"):
        text = server.ask(f"/c/tea/distribution?pattern=tea&by={by}").text
        links = re.findall(rf'<tr><th scope="row"><a href="/{TOKEN}([^"]*)"><bdi>([^<]*)</bdi>.*?>([\d,]+)</td>', text)
        assert len(links) == (3 if by == "year" else 2)
        for link, _, number in links:
            lines = server.ask(html.unescape(link)).text
            assert len(re.findall('<td class="left">', lines)) == int(number)
    found = re.search(rf'href="/{TOKEN}(/search[^"#]*)#(b\d+)"', server.ask("/c/tea/concordance?pattern=drinks").text)
    assert found is not None
    answer = server.ask(html.unescape(found[1]))
    assert answer.status == 303
    assert answer.headers["location"].endswith("/page/b00000/1")
    assert found[2] == "b1"


@pytest.mark.parametrize("form", ["tsv", "csv", "json"])
def test_lines_as_files(form: str, server: Served) -> None:
    """All lines of a concordance, with where they are from."""
    answer = server.ask("/c/tea/concordance?" + urlencode({"pattern": "tea", "sort": "left", "format": form}))
    assert f'filename="tea-concordance.{ {"json": "jsonl"}.get(form, form) }"' in answer.headers["content-disposition"]
    assert len(answer.text.splitlines()) == (3 if form == "json" else 4)
    assert answer.text.count("http://b.example/2") == 2


def test_documents_by_a_value(server: Served) -> None:
    """Without a pattern; what is wrong is said on the page."""
    text = server.ask("/c/tea/distribution").text
    assert re.findall(r'<tr><th scope="row"><bdi>(\d+)', text) == ["2020", "2021", "2022"]
    assert "by keyword: give a query" in server.ask("/c/tea/distribution?by=keyword").text
    assert "at character" in server.ask("/c/tea/distribution?pattern=%22a").text
