"""Keywords and collocations of made-up corpora, against counts in plain Python."""

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import made_verticals, plain_search
from support.made_verticals import Made

from corpusprep.errors import ConfigError
from corpusprep.inspection import list_text
from corpusprep.inspection.collocations import collocations
from corpusprep.inspection.keywords import LISTED_TOKENS, Published, keywords, language_of
from corpusprep.inspection.parsed_query import Query
from corpusprep.inspection.query import parse
from corpusprep.inspection.subcorpora import part_of
from corpusprep.inspection.word_lists import Corpus
from corpusprep.io.files import zstd_chunks

pytestmark = pytest.mark.usefixtures("fresh_process")


def document(number: int, words: str, host: str) -> Made:
    """A document of one block."""
    attributes = {"id": str(number), "url": f"http://{host}/{number}", "host": host, "date": "2020", "lang": "en"}
    return Made(attributes, [words.split()])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Half of it is about tea; one host has a word that no other has."""
    about = [document(n, "the tea of the house is the best tea", f"tea{n % 5}.example") for n in range(20)]
    about += [document(n, "the house of the town , odd odd odd odd", "odd.example") for n in range(20, 24)]
    others = [document(n, "the house of the town is the best", f"h{n % 7}.example") for n in range(30, 60)]
    return Corpus(made_verticals.write(tmp_path_factory.mktemp("corpus"), [about, others]))


def test_keywords_of_a_part(corpus: Corpus) -> None:
    """Against the rest: what is typical comes first, what one host has comes last, without an interval."""
    part = part_of(corpus.folder, 'host="tea.*|odd.*"', None)
    rows = pl.concat(keywords(corpus.words("lc", 1, part), corpus.words("lc", 1, part.rest)))
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    assert (first["item"], first["frequency"], first["hosts"], first["reference_per_million"]) == ("tea", 40, 5, 0)
    assert first["low"] < first["value"] < first["high"]
    assert first["per_million"] == pytest.approx(1e6 * 40 / (20 * 9 + 4 * 10), abs=1e-4)
    assert (last["item"], last["low"], last["high"]) == (",", None, None)
    assert "odd" in rows["item"].to_list()[-2:]
    assert "town" not in rows["item"].to_list()
    few = keywords(corpus.words("lc", 1, part), corpus.words("lc", 1, part.rest), limit=1, pattern="h.*")
    assert pl.concat(few).height <= 1


def test_keywords_do_not_depend_on_the_memory(corpus: Corpus) -> None:
    """Rows that exceed it are sorted on disk; so are n-grams."""
    part = part_of(corpus.folder, 'host="tea.*|odd.*"', None)
    focus, reference = corpus.words("lc", 2, part), corpus.words("lc", 2, part.rest)
    for limit in (0, 3):
        in_memory = pl.concat(keywords(focus, reference, limit=limit))
        assert in_memory.equals(pl.concat(keywords(replace(focus, memory=1), reference, limit=limit)))
        assert 0 < in_memory.height <= (limit or in_memory.height)


def test_keywords_against_wordfreq(corpus: Corpus) -> None:
    """Only words with a letter are compared; one that is not listed counts as the rarest that is."""
    rows = pl.concat(keywords(corpus.words("lc"), Published(language_of(corpus)), measure="simple-maths"))
    assert "," not in rows["item"].to_list()
    assert set(rows["item"].to_list()) >= {"tea", "house", "town"}
    [per_million] = rows.filter(pl.col("item") == "tea")["reference_per_million"]
    assert 10 < per_million < 1000
    listed = Published("en").frequencies(pl.Series(["it's", "it’s", "’s", "unlistedword"])).counts
    assert listed[0] == listed[1] > listed[3]
    assert listed[2] == LISTED_TOKENS


def test_references_without_text(corpus: Corpus, tmp_path: Path) -> None:
    """Are named; so is a corpus without documents, which has no language."""
    with pytest.raises(ConfigError, match="the corpus has no documents"):
        language_of(Corpus(made_verticals.write(tmp_path, [[]])))
    nobody = part_of(corpus.folder, 'host="x"', None)
    with pytest.raises(ConfigError, match="the reference has no text"):
        list(keywords(corpus.words("lc"), corpus.words("lc", 1, nobody)))
    with pytest.raises(ConfigError, match="the part of the corpus has no text"):
        list(keywords(corpus.words("lc", 1, nobody), corpus.words("lc")))


def test_collocations(corpus: Corpus) -> None:
    """Of `house`: pairs within the window, on both sides, in the block."""
    rows, hits = collocations(corpus, parse('[lc="house"]'), "lc", window=(2, 1))
    got = {row[0]: row[1:3] for row in rows.iter_rows()}
    assert hits == 54
    assert got["of"] == (20 + 34, 54)
    assert got["is"] == (20, 50)
    assert "town" not in got
    assert rows["value"].is_sorted(descending=True)
    right, _ = collocations(corpus, parse("house"), "lc", window=(0, 2), measure="t-score", least=30)
    assert set(right["item"].to_list()) == {"of", "the"}
    of_part = part_of(corpus.folder, 'host="tea.*"', None)
    rows, hits = collocations(corpus, parse("house"), "lc", part=of_part, pattern="t.*")
    assert (hits, {row[0]: row[1:3] for row in rows.iter_rows()}) == (20, {"tea": (40, 40), "the": (60, 60)})
    with pytest.raises(ConfigError, match="window 0,0"):
        collocations(corpus, parse("house"), "lc", window=(0, 0))


blocks = st.lists(st.lists(st.sampled_from(["a", "A", "b", "c\tx", "d"]), max_size=9), min_size=1, max_size=4)


@settings(max_examples=15)
@given(
    st.lists(blocks, min_size=1, max_size=4),
    st.sampled_from(["a", "a []{0,2} b", "(meet a b -2 2)", '[tag="x"]']),
    st.sampled_from(["", "b", '[tag="x"]', "a b", '[tag!="x"] within ("a" [] "b")']),
)
def test_pairs_are_those_of_plain_python(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[list[str]]], pattern: str, only: str
) -> None:
    """For any text, a window of two to the left and three to the right, of all tokens or those of a query."""
    made = [Made({"id": str(number), "date": "2020"}, text) for number, text in enumerate(texts)]
    folder = made_verticals.write(tmp_path_factory.mktemp("made"), [made[::2], made[1::2]])
    corpus = Corpus(folder, ("word", "tag"))
    query = parse(pattern, corpus.columns)
    collocates = parse(only, corpus.columns) if only else None
    pairs: Counter[str] = Counter()
    hits = 0
    for path in sorted(folder.glob("corpus/*.vert.zst")):
        vertical = b"".join(zstd_chunks(path)).decode()
        for tokens in plain_search.blocks_of(vertical):
            words = [token.columns[0].lower() for token in tokens[:-1]]
            numbers = range(len(words))

            def hits_of(asked: Query, tokens: list[Any] = tokens, vertical: str = vertical) -> list[range]:
                return [
                    range(start, start + stop - first)
                    for start in range(len(tokens) - 1)
                    for *_, first, stop in plain_search.hits_at(tokens, start, asked, vertical, longest=False)
                ]

            may_count = {number for hit in hits_of(collocates) for number in hit} if collocates else set(numbers)
            for hit in hits_of(query):
                hits += 1
                near = [*numbers[max(0, hit.start - 2) : hit.start], *numbers[hit.stop : hit.stop + 3]]
                pairs.update(words[number] for number in near if number in may_count)
    rows, found = collocations(corpus, query, "lc", window=(2, 3), collocates=collocates)
    assert (found, {row[0]: row[1] for row in rows.iter_rows()}) == (hits, dict(pairs))


def test_lists_for_other_programs() -> None:
    """TSV, JSON and CSV have the same numbers; no cell of CSV is a formula, no item breaks a row."""
    rows = pl.DataFrame({"item": ["=1+1", 'a"b,c', "x\ty"], "together": [3, 2, 1], "frequency": [5, 5, 5]})
    rows = rows.with_columns(value=pl.Series([1.5, None, -2.0]))
    columns = list_text.of_collocations("logdice")
    written = {form: "".join(list_text.pieces([rows[:2], rows[2:]], columns, form)) for form in list_text.FORMS}
    head = ["item", "together", "frequency", "value"]
    assert [line.split("\t") for line in written["tsv"].splitlines()] == [
        head,
        ["=1+1", "3", "5", "1.5"],
        ['a"b,c', "2", "5", ""],
        ["x y", "1", "5", "-2.0"],
    ]
    assert [json.loads(line)["value"] for line in written["json"].splitlines()] == [1.5, None, -2.0]
    assert json.loads(written["json"].splitlines()[2])["item"] == "x\ty"
    assert list(csv.reader(io.StringIO(written["csv"]))) == [
        head,
        ["'=1+1", "3", "5", "1.5"],
        ['a"b,c', "2", "5", ""],
        ["x y", "1", "5", "-2.0"],
    ]
