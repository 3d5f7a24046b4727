"""The vertical of kept documents and its table."""

import hashlib
import re
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from support.batch_fixture import TOKENIZER, Block, Page, write_pages

from corpusprep import languages
from corpusprep.commands import tokens
from corpusprep.errors import StageFileError
from corpusprep.io.files import zstd_chunks
from corpusprep.tables import good_texts as batch_documents
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table
from corpusprep.text.tokenizer import escape_token
from corpusprep.text.tokens import document_id, tokenize_batch
from corpusprep.text.vertical import DocumentAttributes, read_documents

BLOCKS = (
    Block("A heading", heading=True),
    Block("Home | About", label="bad"),
    Block("It's <b> & so on, etc."),
    Block("No\xa0more."),
)
PAGES = [
    Page(BLOCKS, 'Tom & "Jerry" <1>', "http://a.example/?a=1&b=2", score=2 / 3, encoding="windows-1252"),
    Page(language="rival_language"),
    Page((Block("Ahoj!"),), "", "", "", "", 1.0),
]


def run(files: BatchFiles) -> pl.DataFrame:
    """Runs the stage and returns its table."""
    tokenize_batch(
        files.encoding,
        files.pages,
        files.boilerplate,
        files.language,
        TOKENIZER,
        files.vertical,
        files.tokens,
    )
    return read_table(files.tokens, schemas.TOKENS)


def md5(text: str) -> str:
    """Returns the MD5 of a text, in hexadecimal."""
    return hashlib.md5(text.encode()).hexdigest()


def test_blocks_that_language_left_out_are_not_in_the_vertical(tmp_path: Path) -> None:
    """They are not in the digest of the document either; the table lists them."""
    files = write_pages(tmp_path, [Page((Block("Ahoj!"), Block("Hello"), Block("Servus")))])
    verdicts = read_table(files.language, schemas.LANGUAGE)
    out = pl.lit([1], pl.List(pl.UInt32))
    write_table(verdicts.with_columns(left_out=out), schemas.LANGUAGE, files.language)
    row = run(files).row(0, named=True)
    assert (row["blocks"], row["words"], row["left_out"], row["digest"]) == (2, 2, [1], md5("Ahoj!\nServus"))


def test_vertical_of_a_batch(tmp_path: Path) -> None:
    """Good blocks of kept documents, in record order, with metadata; attributes and tokens are escaped."""
    files = write_pages(tmp_path, PAGES)
    table = run(files)
    first, second = table["id"]
    expected = f"""\
<doc id="{first}" url="http://a.example/?a=1&amp;b=2" host="a.example" date="2020-01-01T00:00:00Z" \
archive="a.warc.gz" offset="100" record_id="urn:uuid:1" lang="en" encoding="windows-1252" \
language_score="0.6667" title="Tom &amp; &quot;Jerry&quot; &lt;1&gt;">
<p heading="1" block="0">
A
heading
</p>
<p heading="0" block="2">
It
<g/>
's
&lt;
<g/>
b
<g/>
&gt;
&amp;
so
on
<g/>
,
etc.
</p>
<p heading="0" block="3">
No
more
<g/>
.
</p>
</doc>
<doc id="{second}" url="" host="" date="" \
archive="a.warc.gz" offset="700" record_id="urn:uuid:7" lang="en" encoding="" language_score="1.0000" title="">
<p heading="0" block="0">
Ahoj
<g/>
!
</p>
</doc>
"""
    assert b"".join(zstd_chunks(files.vertical)).decode() == expected


def test_table_of_a_batch(tmp_path: Path) -> None:
    """One row per document: digest of the good blocks joined by line feeds, the id made from it, counts."""
    files = write_pages(tmp_path, PAGES)
    table = run(files)
    digest = md5("A heading\nIt's <b> & so on, etc.\nNo\xa0more.")
    name = md5(f"2020-01-01T00:00:00Z\nhttp://a.example/?a=1&b=2\n{digest}")[:16]
    assert table.schema == schemas.TOKENS
    first, second = (int(md5(f"urn:uuid:{record}")[:16], 16) for record in (1, 7))
    assert table.drop("page_digest").rows() == [
        ("b00000", 1, 0, name, PAGES[0].url, PAGES[0].date, digest, "windows-1252", first, 3, [], 10, 15, 0),
        ("b00000", 7, 1, document_id("", "", md5("Ahoj!")), "", "", md5("Ahoj!"), "", second, 1, [], 1, 2, 0),
    ]
    assert table["page_digest"].to_list() == [md5(repr(PAGES[0])), md5(repr(PAGES[2]))]


@pytest.mark.parametrize("pages", [[], [Page(language="language_score")]])
def test_no_document(tmp_path: Path, pages: list[Page]) -> None:
    """A batch that keeps nothing has an empty vertical and an empty table."""
    files = write_pages(tmp_path, pages)
    assert run(files).is_empty()
    assert list(read_documents(files.vertical)) == []


def test_a_document_without_good_blocks(tmp_path: Path) -> None:
    """It keeps its number: it is in the vertical, without blocks."""
    files = write_pages(tmp_path, [Page((Block("Menu", label="bad"),)), Page()])
    assert run(files)["blocks"].to_list() == [0, 1]
    assert [len(document.blocks) for document in read_documents(files.vertical)] == [0, 1]


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
pages = st.builds(
    Page,
    st.lists(st.builds(Block, texts, st.booleans(), st.sampled_from(["good", "bad"])), max_size=4).map(tuple),
    texts,
    texts,
)


@settings(max_examples=50, deadline=None)
@given(st.lists(pages, max_size=5))
def test_any_text_is_written_whole(tmp_path_factory: pytest.TempPathFactory, pages: list[Page]) -> None:
    """The vertical has the documents, blocks and tokens of any pages, as the table counts them."""
    files = write_pages(tmp_path_factory.mktemp("batch"), pages)
    table = run(files)
    documents = list(read_documents(files.vertical))
    assert [document.attributes["id"] for document in documents] == table["id"].to_list()
    assert [len(document.blocks) for document in documents] == [len(page.good) for page in pages]
    for page, document, count in zip(pages, documents, table["tokens"], strict=True):
        assert tuple(document.attributes) == DocumentAttributes._fields
        written = [block.decode().split("\n")[1:-2] for block in document.blocks]
        expected = [TOKENIZER.tokenize(block.text) for block in page.good]
        assert [[line for line in lines if line != "<g/>"] for lines in written] == [
            [escape_token(token.text) for token in tokens] for tokens in expected
        ]
        assert count == sum(map(len, expected))


def test_blocks_are_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of the parts does not change the result."""
    files = write_pages(tmp_path, PAGES * 5)
    whole = run(files)
    monkeypatch.setattr(batch_documents, "ROWS_AT_ONCE", 3)
    assert run(files).equals(whole)


@pytest.mark.parametrize("table", ["encoding", "pages", "boilerplate", "language"])
def test_a_missing_table_is_named(tmp_path: Path, table: str) -> None:
    """The error names the missing table."""
    files = write_pages(tmp_path, PAGES)
    path: Path = getattr(files, table)
    path.unlink()
    with pytest.raises(StageFileError, match=re.escape(str(path))):
        run(files)
    assert not files.vertical.exists()


def test_tables_of_another_run_are_an_error(tmp_path: Path) -> None:
    """Errors: a document missing from a table; blocks out of order."""
    files = write_pages(tmp_path, PAGES)
    rows = read_table(files.pages, schemas.PAGES)
    write_table(rows.filter(pl.col("record") != 7), schemas.PAGES, files.pages)
    with pytest.raises(StageFileError, match=r"pages/b00000\.parquet: its pages differ from"):
        run(files)
    write_table(rows, schemas.PAGES, files.pages)
    blocks = read_table(files.boilerplate, schemas.BOILERPLATE)
    for shuffled in (blocks.sort("record", descending=True), blocks.sort("block", descending=True)):
        write_table(shuffled, schemas.BOILERPLATE, files.boilerplate)
        with pytest.raises(StageFileError, match="out of order"):
            run(files)


def test_command_uses_the_language(tmp_path: Path) -> None:
    """`tokens` takes abbreviations and clitics from the given model."""
    files = write_pages(tmp_path, [Page((Block("They don't, etc."),))])
    arguments = [str(tmp_path), "--batch", "b00000", "--model", "en"]
    assert CliRunner().invoke(tokens.command, arguments, catch_exceptions=False).exit_code == 0
    (block,) = next(read_documents(files.vertical)).blocks
    assert block == b'<p heading="0" block="0">\nThey\ndo\n<g/>\nn\'t\n<g/>\n,\netc.\n</p>\n'
    assert "n't" in languages.get("en").clitic_suffixes


def test_long_and_deceiving_attributes_are_cut_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table says how many of a document's attributes were cut; its id is that of the whole URL."""
    url = "http://a.example/" + "x" * 600_000
    files = write_pages(tmp_path, [Page(title="\u202eoj.exe \ufeff" + "t" * 3000, url=url), Page(title="\u202esafe")])
    table = run(files)
    first, second = (document.attributes for document in read_documents(files.vertical))
    assert table["cut"].to_list() == [2, 0]
    assert (first["url"], first["title"], second["title"]) == (url[:2048], "oj.exe " + "t" * 2041, "safe")
    assert table["id"][0] == document_id(Page().date, url, table["digest"][0])
    assert "2 titles or URLs were cut to 2048 bytes" in capsys.readouterr().err
