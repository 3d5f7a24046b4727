"""Word lists and n-grams: against a reading of the vertical in plain Python, whatever the batches and the memory."""

import os
import tracemalloc
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import batch_fixture, made_verticals
from support.corpus_layout import write_lists
from support.made_verticals import Made

from corpusprep.errors import ConfigError, StageFileError
from corpusprep.inspection import counting, item_counts, kept_checksums, subcorpora
from corpusprep.inspection.query import PatternError, parse
from corpusprep.inspection.subcorpora import part_of
from corpusprep.inspection.word_lists import SORTS, Corpus, WordList
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import write_table

pytestmark = pytest.mark.usefixtures("fresh_process")

TOKENS = ["a", "A", "b", "B\tb\tN", "c\tc", "É", "&amp;", "<g/>", "<s>", "</s>", "long-word\tx", "&lt;p&gt;"]
made_documents = st.lists(
    st.builds(
        Made,
        st.fixed_dictionaries(
            {
                "id": st.uuids().map(str),
                "url": st.sampled_from(["http://a.example/1", "http://b.example/2", ""]),
                "host": st.sampled_from(["a.example", "b.example", "c&d.example", ""]),
                "date": st.sampled_from(["2020-01-01", "2021-01-01"]),
            }
        ),
        st.lists(st.lists(st.sampled_from(TOKENS), max_size=12), max_size=3),
    ),
    max_size=8,
)


def told(words: WordList) -> dict[str, tuple[int, int, int, float, float]]:
    """The items of a list with what is counted of them."""
    rows, number = words.first(sort="item")
    assert rows.height == number
    return {row[0]: row[1:6] for row in rows.iter_rows()}


@settings(max_examples=15)
@given(made_documents, st.integers(1, 3), st.sampled_from([("word", 0, 1), ("lc", 0, 1), ("tag", 2, 1), ("lc", 0, 3)]))
def test_counts_are_those_of_plain_python(
    tmp_path_factory: pytest.TempPathFactory, documents: list[Made], batches: int, counted: tuple[str, int, int]
) -> None:
    """Of any corpus, in any number of batches."""
    attribute, column, ngrams = counted
    folder = tmp_path_factory.mktemp("made")
    made_verticals.write(folder, [documents[number::batches] for number in range(batches)])
    corpus = Corpus(folder, ("word", "lemma", "tag"))
    expected = made_verticals.counted(made_verticals.read(folder), column, ngrams, lowered=attribute == "lc")
    if ngrams > 1:
        expected = {item: numbers for item, numbers in expected.items() if numbers[0] > 1}
    if column and expected.keys() == {""}:
        with pytest.raises(ConfigError, match="no token has a column 3"):
            corpus.words(attribute, ngrams)
        return
    got = told(corpus.words(attribute, ngrams))
    assert got.keys() == expected.keys()
    for item, numbers in expected.items():
        assert got[item] == pytest.approx(numbers, abs=1e-6)


def some(number: int) -> Made:
    """A document of a made-up corpus."""
    words = ["the", "tea", "Tea", f"w{number}", ".", "of", "the"][number % 3 :]
    attributes = {
        "id": f"{number:016x}",
        "url": f"http://h{number % 4}.example/{number}",
        "host": f"h{number % 4}.example",
        "date": f"{2018 + number % 5}-01-01T00:00:00Z",
        "lang": "en",
    }
    return Made(attributes, [words, words * 2])


DOCUMENTS = [some(number) for number in range(40)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of three batches."""
    parts = [DOCUMENTS[:7], DOCUMENTS[7:30], DOCUMENTS[30:]]
    return made_verticals.write(tmp_path_factory.mktemp("corpus"), parts)


def test_lists_do_not_depend_on_batches(folder: Path, tmp_path: Path) -> None:
    """Nor on the order of documents, nor on threads: the files have the same bytes."""
    made_verticals.write(tmp_path, [DOCUMENTS[::-2], DOCUMENTS[::2]])
    for attribute, ngrams in (("lc", 1), ("word", 2)):
        one = Corpus(folder, threads=2).words(attribute, ngrams)
        other = Corpus(tmp_path).words(attribute, ngrams)
        assert one.path.read_bytes() == other.path.read_bytes()
        assert one.path.name != other.path.name


@pytest.mark.parametrize("memory", [1, 8_000])
@pytest.mark.parametrize("ngrams", [1, 2])
def test_lists_do_not_depend_on_the_memory(folder: Path, tmp_path: Path, ngrams: int, memory: int) -> None:
    """Occurrences that do not fit are divided, also those of one item."""
    corpus = Corpus(folder)
    expected = pl.read_parquet(corpus.words("lc", ngrams).path)
    lexicon = pl.read_parquet(corpus.words("lc").path)
    documents, attribute = corpus.documents(), corpus.attribute("lc")
    frames = counting.occurrences(folder, corpus.batches, documents, attribute, lexicon, ngrams, tmp_path, memory, 1)
    made = [frame for frame in frames if frame is not None]
    assert len(made) > 3
    assert pl.concat(made).equals(expected)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ngrams", [1, 2])
def test_a_word_that_is_half_of_the_corpus(tmp_path: Path, ngrams: int) -> None:
    """Its occurrences, and the bigrams that begin with it, take no more memory than those of other words."""
    words = ["the", "the", *(f"w{number}" for number in range(4)), "the", "the"]
    attributes = [{"id": f"{number:04}", "host": f"h{number}"} for number in range(100)]
    made_verticals.write(tmp_path, [[Made(one, [words * 250]) for one in attributes]])
    corpus, memory = Corpus(tmp_path), 4_000_000
    lexicon = pl.DataFrame({"item": sorted(set(words))}).with_columns(
        frequency=pl.when(item="the").then(100_000).otherwise(25_000)
    )
    frames = counting.occurrences(
        tmp_path, ["b00000"], corpus.documents(), corpus.attribute("lc"), lexicon, ngrams, tmp_path, memory, 1
    )
    assert next(frames) is None
    tracemalloc.start()
    try:
        made = pl.concat([frame for frame in frames if frame is not None])
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < memory < 100_000 * 48  # bytes for a sort of all its places, with their hosts and documents
    expected = made_verticals.counted(made_verticals.read(tmp_path), ngrams=ngrams)
    assert {row[0]: row[1:6] for row in made.iter_rows()} == {
        item: pytest.approx(numbers, abs=1e-5) for item, numbers in expected.items()
    }


def test_equal_hashes_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """N-grams are compared by their words, too."""
    words = pl.DataFrame({"a": [1, 2, 1, 3], "b": [5, 5, 5, 4]}).to_numpy().astype("uint32")
    expected = item_counts._groups(words).tolist()
    monkeypatch.setattr(item_counts, "_FACTORS", (0,))
    assert item_counts._groups(words).tolist() == [0, 1, 0, 2]
    assert len(set(expected)) == 3
    assert expected[0] == expected[2]


def test_a_list_is_made_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the text changes; then older lists go."""
    first = Corpus(folder).words("word").path
    with monkeypatch.context() as context:
        context.setattr(counting, "pieces", None)
        assert Corpus(folder).words("word").path == first
    digest = first.name.partition("-")[0]
    older = first.with_name(first.name.replace(digest, "0" * 16))
    older.write_bytes(b"")
    foreign = first.with_name("mine.parquet")
    foreign.write_bytes(b"")
    Corpus(folder).words("word", 4)
    assert (older.exists(), foreign.exists(), first.exists()) == (False, True, True)


def test_texts_are_read_once_for_their_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until their size or time changes; a damaged table of checksums is made again."""
    made_verticals.write(tmp_path, [DOCUMENTS[:2], DOCUMENTS[2:4]])
    digest = Corpus(tmp_path).digest
    table = tmp_path / "word-lists" / "checksums.tsv"
    os.utime(table)  # the verticals are older
    with monkeypatch.context() as context:
        context.setattr(kept_checksums, "checksum", None)
        assert Corpus(tmp_path).digest == digest
    table.write_text("file\n?\n")
    assert Corpus(tmp_path).digest == digest
    last = BatchFiles.of(tmp_path, "b00001").corpus_vertical
    read: list[str] = []
    with monkeypatch.context() as context:
        context.setattr(kept_checksums, "checksum", lambda path: read.append(path.name) or 1)
        os.utime(table, ns=(0, last.stat().st_mtime_ns))  # a change in the same tick would not be seen
        assert Corpus(tmp_path).digest != digest
    assert last.name in read
    made_verticals.write(tmp_path, [DOCUMENTS[:2], DOCUMENTS[4:6]])
    assert Corpus(tmp_path).digest != digest


def test_orders_patterns_and_limits(folder: Path) -> None:
    """The largest numbers first, ties by item; a pattern is a regular expression of the whole item."""
    words = Corpus(folder).words("lc")
    rows, listed = words.first(limit=3)
    expected = made_verticals.counted(made_verticals.read(folder), lowered=True)
    assert listed == len(expected)
    assert rows["item"].to_list() == sorted(expected, key=lambda item: (-expected[item][0], item))[:3]
    assert rows["per_million"][0] == pytest.approx(1e6 * rows["frequency"][0] / words.documents.tokens, abs=1e-4)
    assert words.first("w1.?", limit=2)[0]["item"].to_list() == ["w1", "w10"]
    assert words.first("w1.?")[1] == 11
    assert words.first(least=30, sort="item")[0]["item"].to_list() == [".", "of", "tea", "the"]
    assert words.first(sort="dp", limit=1)[0]["dp"][0] == words.first()[0]["dp"].max()
    with pytest.raises(PatternError, match="unclosed"):
        words.first("(")


@pytest.mark.parametrize("sort", SORTS)
def test_orders_do_not_depend_on_the_memory(folder: Path, sort: str) -> None:
    """All rows, and the first, also where rows are sorted on disk."""
    words = Corpus(folder).words("lc", 2)
    small = replace(words, memory=7 * 600)
    rows, listed = words.first(sort=sort)
    assert listed == rows.height > 50
    assert [piece.height for piece in small.in_order(sort=sort)][:1] < [rows.height]
    assert pl.concat(small.in_order(sort=sort)).equals(rows)
    for pattern, limit in (("", 5), ("", 60), (".*a.*", 5), (".*a.*", 0)):
        first, number = words.first(pattern, 1, sort, limit)
        assert small.first(pattern, 1, sort, limit)[1] == number
        assert small.first(pattern, 1, sort, limit)[0].equals(first)
        assert first.equals(words.first(pattern, 1, sort)[0].head(limit or number))
    assert not [path for path in (folder / "word-lists").iterdir() if path.is_dir()]


def test_a_part_of_a_corpus(folder: Path) -> None:
    """Documents whose attributes pass; numbers are those of a corpus of these documents alone."""
    chosen = [one for one in made_verticals.read(folder) if one.attributes["date"] >= "2020"]
    corpus = Corpus(folder)
    part = part_of(folder, 'date>="2020"', None)
    expected = made_verticals.counted(chosen)
    got = told(corpus.words("word", 1, part))
    assert got.keys() == expected.keys()
    assert all(got[item] == pytest.approx(numbers, abs=1e-6) for item, numbers in expected.items())
    both = corpus.documents(part).tokens + corpus.documents(part.rest).tokens
    assert both == corpus.documents().tokens
    assert len(corpus.documents(part_of(folder, 'host="h[12].*" & !(date<"2020" | lang!="en")', None))) == 12


def test_parts_are_saved_under_names(folder: Path) -> None:
    """Beside the corpus, as a table; a name has one condition."""
    part = part_of(folder, 'host="h1\\..*"', None)
    subcorpora.save(folder, "h1", part_of(folder, 'host="x"', None))
    subcorpora.save(folder, "h1", part)
    assert part_of(folder, None, "h1") == part
    assert (folder / "subcorpora.tsv").read_text().splitlines() == ["name\tcondition", 'h1\thost="h1\\..*"']
    with pytest.raises(ConfigError, match="no subcorpus h2; there is h1"):
        part_of(folder, None, "h2")
    with pytest.raises(ConfigError, match="letters, digits"):
        subcorpora.save(folder, "a/b", part)
    with pytest.raises(ConfigError, match="not both"):
        part_of(folder, "x", "h1")


def test_what_is_not_there_is_named(folder: Path, tmp_path: Path) -> None:
    """Attributes, columns, corpora."""
    with pytest.raises(ConfigError, match="attribute lemma: there is word, lc"):
        Corpus(folder).words("lemma")
    with pytest.raises(ConfigError, match="no token has a column 2"):
        Corpus(folder, ("word", "lemma")).words("lemma")
    with pytest.raises(ConfigError, match="no document of the corpus has the attribute hots"):
        Corpus(folder).documents(part_of(folder, 'hots="x"', None))
    with pytest.raises(ConfigError, match="1 to 6"):
        Corpus(folder).words("lc", 7)
    with pytest.raises(StageFileError, match="no corpus here"):
        Corpus(tmp_path).words("lc")
    assert told(Corpus(folder).words("lc", 1, part_of(folder, 'host="nobody"', None))) == {}


def test_the_memory_is_kept_to(folder: Path) -> None:
    """Too little is an error that says how much is needed."""
    from corpusprep.errors import ResourceError

    with pytest.raises(ResourceError, match="counting words: at least"):
        Corpus(folder, memory=1_000_000).words("word", 5)


def test_parts_by_quality(tmp_path: Path) -> None:
    """The signals of the stage `quality` are attributes of documents, where it measured them."""
    made_verticals.write(tmp_path, [DOCUMENTS[:4]])
    files = BatchFiles.of(tmp_path, "b00000")
    for path, schema, columns in (
        (files.tokens, schemas.TOKENS, {"document": range(4), "id": [one.attributes["id"] for one in DOCUMENTS[:4]]}),
        (files.quality, schemas.QUALITY, {"document": [0, 1, 3], "capitals": [0.1, 0.25, None]}),
    ):
        rows = pl.DataFrame(columns)
        missing = [pl.lit(None, kind).alias(name) for name, kind in schema.items() if name not in columns]
        write_table(rows.with_columns(missing), schema, path)
    corpus = Corpus(tmp_path)
    assert len(corpus.documents()) == 4
    assert len(corpus.documents(part_of(tmp_path, "quality.capitals<0.2", None))) == 1
    assert len(corpus.documents(part_of(tmp_path, 'quality.capitals=""', None))) == 2
    with pytest.raises(ConfigError, match="a search knows"):
        subcorpora.in_part(parse("tea"), part_of(tmp_path, "quality.capitals<0.2", None))


def test_a_corpus_without_verticals(tmp_path: Path) -> None:
    """What the stages kept is read in their place, and found again."""
    files = batch_fixture.write_batch(
        tmp_path, [batch_fixture.Page((batch_fixture.Block("Weak tea, strong tea."),), url="http://a.example/1")]
    )
    write_lists(tmp_path, ["b00000"])
    assert not files.corpus_vertical.exists()
    assert told(Corpus(tmp_path).words("lc"))["tea"][:3] == (2, 1, 1)
