"""Why a page is there or not: every record of every archive has an answer, which the tables confirm."""

import dataclasses
import io
import json
import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console
from support import corpus_fixture
from support.corpus_fixture import FakeCorpus, Record

from corpusprep.archive.batches import Batch, write_batches
from corpusprep.errors import StageFileError
from corpusprep.inspection import records, why_page, why_text
from corpusprep.inspection.indexing import write_index
from corpusprep.inspection.records import NotFoundError
from corpusprep.inspection.story import PageStory
from corpusprep.inspection.why import NotFound, explain
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.crawl_files import division_file, found_file
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table

MEMORY = 2_000_000_000


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> FakeCorpus:
    """A corpus of two batches with hostile text, with its index."""
    folder = tmp_path_factory.mktemp("corpus")
    found = corpus_fixture.write(folder, corpus_fixture.draw(seed=5, batches=2, records=24))
    write_index(folder, list(found.batches), folder / "urls.index", MEMORY)
    return found


def fate(record: Record) -> tuple[str, str]:
    """The stage that removed a record, and the reason, from what the fixture drew."""
    stages = (("encoding", record.verdict), ("boilerplate", record.page))
    for stage, verdict in (*stages, ("language", record.language), ("documents", record.document)):
        if verdict != KEPT:
            return stage, str(verdict)
    return ("", KEPT) if record.kept_blocks else ("blocks", "no_block_left")


def test_every_record_has_an_answer(corpus: FakeCorpus) -> None:
    """By URL: its verdict, its blocks with theirs, its encodings and its language."""
    for name, drawn in corpus.batches.items():
        for number, record in enumerate(drawn):
            [story] = explain(corpus.folder, record.url)
            assert (story.batch, story.record, story.url) == (name, number, record.url)
            assert (story.verdict.stage, story.verdict.reason) == fate(record)
            assert story.verdict.kept == bool(record.kept_blocks)
            assert bool(story.verdict.meaning)
            if record.verdict == KEPT:
                assert [block.text for block in story.blocks] == [block.text for block in record.blocks]
                assert [block.verdict.kept for block in story.blocks] == [block.last == KEPT for block in record.blocks]
                assert story.kept_words == sum(block.words for block in record.kept_blocks)
                removed = [block.verdict for block in story.blocks if not block.verdict.kept]
                assert all(verdict.stage and verdict.meaning for verdict in removed)
            said = story.encodings
            assert (said.http or None, said.meta or None, said.bom or None) == record.declared
            assert (story.language is None) == (record.language is None)


def test_names_that_mean_the_same(corpus: FakeCorpus) -> None:
    """A URL without its scheme, the place in an archive, the key of the tables, the identifier of the document."""
    record = next(one for one in corpus.batches["b00001"] if one.document == KEPT)
    number = corpus.batches["b00001"].index(record)
    expected = explain(corpus.folder, record.url)
    offset = expected[0].offset
    for wanted in (
        record.url.removeprefix("https://"),
        f"crawl/b00001.warc.gz:{offset}",
        f"b00001.warc.gz:{offset}",
        f"b00001:{number}",
    ):
        assert explain(corpus.folder, wanted) == expected, wanted


def test_a_local_page_has_many_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Path, its end, the name of its file, its address with and without scheme; files with many records have none."""
    monkeypatch.chdir(tmp_path)
    archives = (Path("pages/sub/my own.html"), tmp_path / "other.html", Path("many.jsonl"))
    write_batches([Batch("b00000", archives, (1, 1, 1))], corpus_file(tmp_path / "corpus", "plan"))
    urls = ["file:pages/sub/my%20own.html", f"file:{tmp_path}/other.html"]
    rows = [{"batch": "b00000", "record": n, "archive": str(archives[n]), "url": url} for n, url in enumerate(urls)]
    rows += [{"batch": "b00000", "record": n, "archive": "many.jsonl", "url": ""} for n in range(2, 30)]
    path = BatchFiles.of(tmp_path / "corpus", "b00000").encoding
    write_table(pl.DataFrame(rows, schema=schemas.ENCODING), schemas.ENCODING, path)

    def found(wanted: str) -> list[int]:
        return [key.record for key in records.find(tmp_path / "corpus", wanted)]

    for wanted in (
        *(urls[0], "pages/sub/my own.html", "./pages/sub/my own.html", "sub/my own.html", "my own.html"),
        *("my%20own.html", "file:pages/sub/my own.html", f"{tmp_path}/pages/sub/my own.html"),
        *(f"file://{tmp_path}/pages/sub/my own.html", f"{tmp_path}/corpus/../pages/sub/my%20own.html"),
    ):
        assert found(wanted) == [0], wanted
    for wanted in ("other.html", f"file://{tmp_path}/other.html", "./other.html"):
        assert found(wanted) == [1], wanted
    for wanted in ("own.html", "many.jsonl", "http://my own.html"):
        with pytest.raises(NotFoundError):
            found(wanted)


def test_the_index_and_a_scan_agree(corpus: FakeCorpus, tmp_path: Path) -> None:
    """A corpus that is not finished has no index."""
    bare = tmp_path / "bare"
    bare.mkdir()
    for path in corpus.folder.iterdir():
        if path.name != "urls.index":
            (bare / path.name).symlink_to(path)
    for record in corpus.records[::12]:
        scanned = [
            dataclasses.replace(
                story,
                corpus=corpus.folder.name,
                # A note may name the folder.
                notes=tuple(note.replace(str(bare), str(corpus.folder)) for note in story.notes),
            )
            for story in explain(bare, record.url)
        ]
        assert scanned == explain(corpus.folder, record.url)


def test_a_url_that_is_not_there_gets_the_nearest(corpus: FakeCorpus) -> None:
    """Those of its host, and the most alike first."""
    record = corpus.records[3]
    with pytest.raises(NotFound, match="no record of") as found:
        explain(corpus.folder, record.url + "x")
    assert found.value.nearest[0] == record.url
    assert len(found.value.nearest) == 5
    with pytest.raises(NotFound, match="no record starts at byte 1"):
        explain(corpus.folder, "b00001.warc.gz:1")
    with pytest.raises(NotFound, match="no document with the identifier"):
        explain(corpus.folder, "0123456789abcdef")
    with pytest.raises(NotFound, match="has no record 999"):
        explain(corpus.folder, "b00001:999")


@pytest.mark.parametrize("wanted", ["http://\udcff.example/", "b00001.warc.gz:" + "9" * 5000, "b00001:" + "9" * 5000])
def test_what_no_record_can_have_is_not_found(corpus: FakeCorpus, wanted: str) -> None:
    """Bytes of an argument that are not UTF-8, and numbers that Python does not read."""
    with pytest.raises(NotFound, match="no record"):
        explain(corpus.folder, wanted)


def test_no_corpus_and_half_a_corpus(corpus: FakeCorpus, tmp_path: Path) -> None:
    """Say so in one line; what is known of a half-built corpus is told."""
    with pytest.raises(StageFileError, match=r"no corpus here \(batches.tsv is missing\)"):
        explain(tmp_path, "http://a.example/")
    for name in ("batches.tsv", "encoding", "pages", "boilerplate"):
        (tmp_path / name).symlink_to(corpus.folder / name)
    record = next(one for one in corpus.records if one.document == KEPT)
    [story] = explain(tmp_path, record.url)
    assert (story.verdict.kept, story.verdict.reason) == (False, "unfinished")
    assert len(story.blocks) == len(record.blocks)
    assert "half built" in story.notes[0]


def test_a_table_of_another_version_is_named(corpus: FakeCorpus, tmp_path: Path) -> None:
    """An earlier version had other columns."""
    shutil.copytree(corpus.folder, tmp_path / "corpus")
    record = next(one for one in corpus.records if one.document == KEPT)
    [story] = explain(corpus.folder, record.url)
    path = BatchFiles.of(tmp_path / "corpus", story.batch).boilerplate
    schema = pl.Schema({name: kind for name, kind in schemas.BOILERPLATE.items() if name != "score"})
    write_table(pl.read_parquet(path).select(schema.names()), schema, path)
    with pytest.raises(StageFileError, match=r"not a table of this stage and version .*score"):
        explain(tmp_path / "corpus", record.url)


@pytest.fixture(scope="module")
def stories(corpus: FakeCorpus) -> list[PageStory]:
    """The stories of some pages with hostile titles and blocks."""
    records = [record for record in corpus.records if record.blocks][:6]
    return [story for record in records for story in explain(corpus.folder, record.url)]


def test_the_terminal_gets_no_control_characters(stories: list[PageStory]) -> None:
    """80 columns, and nothing that moves the cursor, changes colours or turns the direction of text."""
    hostile = dataclasses.replace(stories[0], title="\x1b[31mred\x07\x9b2J \u202eturned", url="http://a/\x1b]0;x\x07")
    printed = io.StringIO()
    why_text.show([hostile, *stories], Console(file=printed, width=80, highlight=False))
    text = printed.getvalue()
    assert not {one for one in text if unicodedata.category(one) in ("Cc", "Cf") and one != "\n"} - {"\u200d"}
    assert max(map(len, text.split("\n"))) <= 80
    assert "removed by boilerplate" in text
    assert " 1 word ·" in text
    assert " 1 words ·" not in text


def test_the_page_escapes_what_it_shows(stories: list[PageStory]) -> None:
    """Blocks and titles are text, never markup; the page loads nothing."""
    block = dataclasses.replace(stories[0].blocks[0], text="<script>alert(1)</script><img src=x>")
    page = why_page.render([dataclasses.replace(stories[0], title="</title><img src=x>", blocks=(block,)), *stories])
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "default-src 'none'" in page


def test_stories_are_ready_for_json(stories: list[PageStory]) -> None:
    """All values are plain."""
    told = [dataclasses.asdict(story) for story in stories]
    assert json.loads(json.dumps(told))[0]["url"] == stories[0].url


def test_json_has_every_number_of_the_terminal(stories: list[PageStory]) -> None:
    """Rounded or not, of pages and of blocks."""
    for story in stories:
        values = list(leaves(json.loads(json.dumps(dataclasses.asdict(story)))))
        texts = " ".join(" ".join(value.split()) for value in values if isinstance(value, str))
        forms = {
            f"{value:{form}}".removesuffix("%")
            for value in values
            if isinstance(value, int | float)
            for form in ("", ",", ".2f", ".3f", ".0%")
        }
        kept = {str(sum(block.verdict.kept for block in story.blocks)), str(len(story.blocks))}
        lines = [value for _, value in why_text.facts(story)] + [why_text.numbers(block) for block in story.blocks]
        shown = re.findall(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?", " ".join(lines))
        assert shown
        assert [number for number in shown if number not in forms | kept and number not in texts] == []


def leaves(value: object) -> Iterator[object]:
    """The values in lists and objects of JSON, in any depth."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from leaves(one)
    else:
        yield value


def test_a_crawl_answers_by_the_corpora_of_its_languages(corpus: FakeCorpus, tmp_path: Path) -> None:
    """A page that went to a language has the story there; one that went to none, the reason of the division."""
    crawl = tmp_path / "crawl"
    shutil.copytree(corpus.folder, crawl / "en")
    for name in ("encoding", "pages", "boilerplate"):
        shutil.copytree(corpus.folder / name, crawl / name)
    shutil.copy(corpus.folder / "batches.tsv", crawl)
    division_file(crawl).touch()
    good = [
        (batch, number, record)
        for batch, records in corpus.batches.items()
        for number, record in enumerate(records)
        if record.verdict == KEPT and record.page == KEPT
    ]
    (_, _, german), (_, _, english), *_ = good
    for batch in corpus.batches:
        rows = [
            dict.fromkeys(schemas.FOUND)
            | {"batch": batch, "record": number, "language": "de" if record is german else "en"}
            | {"corpus": None if record is german else "en", "rest": "other_language" if record is german else ""}
            for one, number, record in good
            if one == batch
        ]
        write_table(pl.DataFrame(rows, schema=schemas.FOUND), schemas.FOUND, found_file(crawl, batch))
    [story] = explain(crawl, german.url)
    assert (story.verdict.stage, story.verdict.reason) == ("languages", "other_language")
    assert "(de)" in story.verdict.meaning
    assert {block.verdict.reason for block in story.blocks} >= {"other_language"}
    assert "unfinished" not in {block.verdict.reason for block in story.blocks}
    assert not story.notes
    [there] = explain(crawl / "en", english.url)
    [story] = explain(crawl, english.url)
    assert story.notes == (*there.notes, f"the page went to {crawl / 'en'}, the corpus of its language")
    assert dataclasses.replace(story, notes=there.notes) == there
    with pytest.raises(NotFound, match="no document with the identifier 0123456789abcdef"):
        explain(crawl, "0123456789abcdef")
