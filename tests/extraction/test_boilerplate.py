"""Stage `boilerplate`: pages in archives to rows of blocks and of pages."""

import gzip
import unicodedata
from collections.abc import Collection
from pathlib import Path

import polars as pl
import pytest

from corpusprep.archive.batches import make_batches
from corpusprep.archive.patterns import expand
from corpusprep.cleaners import fixed
from corpusprep.cleaners.interface import VERDICTS, Algorithm
from corpusprep.cleaners.justext import JusText
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import read_archives
from corpusprep.errors import StageFileError
from corpusprep.extraction import page_rows
from corpusprep.extraction.library import extract
from corpusprep.extraction.page_languages import OneLanguage
from corpusprep.extraction.page_stage import PageOptions, classify_batch
from corpusprep.languages import get
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import TableWriter, write_table
from studies.baselines.density_site import DensitySite
from studies.baselines.reference_pages import choose, gather
from studies.schaefer_2017.cleaner import Texrex

PROSE = (
    "In the evening the people of the village came down to the river and stood on the bank of it for a while, and "
    "then they went back to the houses that they had left in the morning of that day. "
)
BODIES = {
    "article": f"<title>A title</title><h1>Evening</h1><p>{PROSE}</p><p>Home</p><p>So: {PROSE}</p>",
    "links": "<ul><li><a>Home</a><li><a>About</a></ul>",
    "nothing": "<!-- nothing -->",
    "deep": "<div>" * 5000 + PROSE,
    "latin": f"<p>{PROSE}</p><p>Café and façade.</p>",
    "hidden": f"<p>{PROSE}<i hidden>not seen</i></p><p aria-hidden=true>Menu</p>"
    f"<p>So {PROSE}<p hidden>{PROSE[:40]}</p>",
}


def record(name: str, body: bytes, fields: str = "") -> bytes:
    """A response in a gzip member of its own."""
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{name}\r\n"
        f"WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:{name}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", mtime=0)


@pytest.fixture
def encoding(tmp_path: Path) -> Path:
    """The table of `encoding` for two archives with BODIES in them."""
    return encoded(tmp_path, BODIES)


def encoded(tmp_path: Path, bodies: dict[str, str]) -> Path:
    """The table of `encoding` for two archives with these pages."""
    records = [
        record(name, body.encode("windows-1252" if name == "latin" else "utf-8")) for name, body in bodies.items()
    ]
    (tmp_path / "1.warc.gz").write_bytes(b"".join(records[:2]))
    (tmp_path / "2.warc.gz").write_bytes(b"".join(records[2:]))
    (batch,) = make_batches(expand([str(tmp_path / "*.warc.gz")]), 10**9, tmp_path / "batches.tsv")
    path = tmp_path / "encoding.parquet"
    write_table(
        read_archives(batch.name, batch.archives, get("en"), default_page_rules(), "detected"), schemas.ENCODING, path
    )
    return path


def classified(encoding: Path, *, keeps_repeated: bool = False) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tables of blocks and pages."""
    output = encoding.with_name("boilerplate.parquet")
    with TableWriter(output, schemas.BOILERPLATE) as blocks:
        options = PageOptions(JusText(), keeps_repeated=keeps_repeated)
        pages = classify_batch(encoding, OneLanguage(get("en")), options, blocks)
    return read_table(output, schemas.BOILERPLATE), pages


def test_each_page_has_a_verdict(encoding: Path) -> None:
    """Kept, or why nothing of it was."""
    _, pages = classified(encoding)
    assert pages["verdict"].to_list() == ["kept", "no_good_block", "no_text", "kept", "kept", "kept"]
    assert pages["record"].to_list() == [0, 1, 2, 3, 4, 5]
    assert pages["title"][0] == "A title"


def test_rows_are_the_library_s_blocks(encoding: Path) -> None:
    """The stage and `extract` give the same blocks for a page, in any encoding."""
    blocks, _ = classified(encoding)
    for number, body in enumerate(BODIES.values()):
        rows = blocks.filter(pl.col("verdict") != "hidden", record=number).select(
            "text", "label", "context_free_label", "words", "heading", "verdict", "type"
        )
        found = extract(body, algorithm="justext")
        expected = [(b.text, b.label, b.context_free_label, b.words, b.heading, b.verdict, b.type) for b in found]
        assert rows.rows() == expected


def test_counts_of_a_page_are_those_of_its_blocks(encoding: Path) -> None:
    """Blocks and words, of all and of the good ones."""
    blocks, pages = classified(encoding)
    for row in pages.iter_rows(named=True):
        own = blocks.filter(record=row["record"])
        good = own.filter(label="good")
        counts = (len(own), own["words"].sum(), len(good), good["words"].sum())
        assert (row["blocks"], row["words"], row["good_blocks"], row["good_words"]) == counts


def test_hidden_text_has_rows_of_its_own(encoding: Path) -> None:
    """In the order of the page, before the block that it was in; stored scores do not decide it."""
    blocks, _ = classified(encoding)
    own = blocks.filter(record=5)
    assert own.select("block", "verdict", "tag").rows() == [
        (0, "hidden", "p"),
        (1, "kept", "p"),
        (2, "hidden", "p"),
        (3, "kept", "p"),
        (4, "hidden", "p"),
    ]
    assert own.filter(verdict="hidden")["text"].to_list() == ["not seen", "Menu", PROSE[:40].strip()]
    again = fixed.classify_stored(JusText(), blocks)
    assert [VERDICTS[code] for code in again.verdicts] == blocks["verdict"].to_list()
    assert again.good.tolist() == (blocks["label"] == "good").to_list()


def test_text_that_a_page_has_twice_is_kept_once(tmp_path: Path) -> None:
    """Also from stored rows; a setting keeps it, and a block with an earlier verdict has that."""
    pages = {name: f"<p>{PROSE}</p><p>© {PROSE}</p>" * number for number, name in ((2, "twice"), (1, "a"), (1, "b"))}
    table = encoded(tmp_path, pages)
    blocks, _ = classified(table)
    assert blocks.filter(record=0)["verdict"].to_list() == ["kept", "copyright", "repeated", "copyright"]
    again = fixed.classify_stored(JusText(), blocks)
    assert [VERDICTS[code] for code in again.verdicts] == blocks["verdict"].to_list()
    blocks, _ = classified(table, keeps_repeated=True)
    assert blocks.filter(record=0)["verdict"].to_list() == ["kept", "copyright"] * 2


def test_chunks_do_not_show(encoding: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Segmenting page by page gives the same rows."""
    together = classified(encoding)
    monkeypatch.setattr(page_rows, "CHUNK_BYTES", 1)
    alone = classified(encoding)
    assert together[0].equals(alone[0])
    assert together[1].equals(alone[1])


def test_archive_that_changed_is_refused(encoding: Path) -> None:
    """The pages that `encoding` read must still be there."""
    (encoding.parent / "1.warc.gz").write_bytes(record("article", b"<p>another</p>"))
    with pytest.raises(StageFileError, match=r"1\.warc\.gz"):
        classified(encoding)


def site_page(number: int) -> bytes:
    """A page of a site's template: the higher its number, the larger."""
    own = "".join(f"<p>Text {number} of its own, {place}.</p>" for place in range(number))
    return f"<div>Menu of the site</div><div>{own}<p>Subscribe now</p></div>".encode()


@pytest.mark.parametrize("batch_bytes", [1, 10**9])
@pytest.mark.parametrize("backwards", [False, True])
def test_pages_of_a_host_are_compared_wherever_they_are(tmp_path: Path, batch_bytes: int, backwards: bool) -> None:
    """In one batch or in several, in any order: the template goes, and a copy of the reference page is no reference."""
    pages = [site_page(number) for number in (1, 2, 3, 4, 4)]
    for place, number in enumerate(reversed(range(5)) if backwards else range(5)):
        (tmp_path / f"{place}.warc.gz").write_bytes(record(f"{number}", pages[number]))
    batches = make_batches(expand([str(tmp_path / "*.warc.gz")]), batch_bytes, tmp_path / "batches.tsv")
    encodings = []
    for batch in batches:
        encodings.append(tmp_path / "encoding" / f"{batch.name}.parquet")
        write_table(
            read_archives(batch.name, batch.archives, get("en"), default_page_rules(), "detected"),
            schemas.ENCODING,
            encodings[-1],
        )
    write_table(choose(encodings), schemas.CHOSEN_REFERENCES, tmp_path / "chosen.parquet")
    references = [tmp_path / "references" / path.name for path in encodings]
    for encoding, table in zip(encodings, references, strict=True):
        gather(encoding, tmp_path / "chosen.parquet", table)
    kept: dict[str, list[str]] = {}
    for encoding in encodings:
        with TableWriter(tmp_path / "blocks.parquet", schemas.BOILERPLATE) as blocks:
            options = PageOptions(DensitySite(), references=references)
            classify_batch(encoding, OneLanguage(get("en")), options, blocks)
        urls = dict(read_table(encoding, schemas.ENCODING).select("record", "url").iter_rows())
        rows = read_table(tmp_path / "blocks.parquet", schemas.BOILERPLATE).filter(label="good")
        for number, text in rows.select("record", "text").iter_rows():
            kept.setdefault(urls[number].rsplit("/", 1)[1], []).append(text)
    assert kept == {
        str(place): [f"Text {number} of its own, {part}." for part in range(number)]
        for place, number in enumerate((1, 2, 3, 4, 4))
    }


def test_what_a_page_says_of_itself_is_stored(encoding: Path) -> None:
    """Fields with their sources, and marks of rights of header and page; pages that say nothing have empty texts."""
    _, pages = classified(encoding)
    assert set(pages.filter(pl.col("record") != 0).select(schemas.PAGE_METADATA).unpivot()["value"]) == {""}
    head = '<meta name="author" content="Ann Bee"><meta name="robots" content="noai">'
    assert stored(encoding, head).select("published", "author", "sources", "rights").row(0) == (
        "2023-12-31",
        "Ann Bee",
        "published=url author=meta",
        "noindex@header noai@meta",
    )


@pytest.mark.parametrize("algorithm", [JusText(), Texrex()], ids=["justext", "texrex"])
@pytest.mark.parametrize(
    ("refuse", "verdict"), [(["noai"], "rights"), (["noindex"], "rights"), (["noarchive"], "kept")]
)
def test_marks_of_rights_are_refused(encoding: Path, refuse: list[str], verdict: str, algorithm: Algorithm) -> None:
    """Of a refused page there are the verdict and its marks, and no block; of others, all is stored."""
    head = '<meta name="robots" content="noai"><meta name="author" content="Jana Nova">'
    pages = stored(encoding, head, algorithm, refuse)
    blocks = read_table(encoding.with_name("boilerplate.parquet"), schemas.BOILERPLATE)
    assert pages["verdict"].to_list() == [verdict]
    assert (blocks.height > 0) == (verdict == "kept") == (pages["blocks"][0] > 0)
    assert pages["rights"][0] == "noindex@header noai@meta"
    said = pages.select("author", "published", "sources").row(0)
    assert said == (("Jana Nova", "2023-12-31", "published=url author=meta") if verdict == "kept" else ("", "", ""))


def stored(encoding: Path, head: str, algorithm: Algorithm | None = None, refuse: Collection[str] = ()) -> pl.DataFrame:
    """The table of pages of a batch with one page that has this head."""
    body = f"<html><head>{head}</head><body><h1>Evening</h1><p>{PROSE}</p></body></html>".encode()
    stored = record("2023/12/31/x", body, "X-Robots-Tag: noindex\r\n")
    archive = encoding.with_name("3.warc.gz")
    archive.write_bytes(stored)
    write_table(read_archives("b", [archive], get("en"), default_page_rules(), "detected"), schemas.ENCODING, encoding)
    with TableWriter(encoding.with_name("boilerplate.parquet"), schemas.BOILERPLATE) as blocks:
        return classify_batch(
            encoding, OneLanguage(get("en")), PageOptions(algorithm or JusText(), refuse=refuse), blocks
        )


@pytest.mark.parametrize("algorithm", [JusText(), Texrex()], ids=["justext", "texrex"])
@pytest.mark.parametrize("composed", [True, False])
def test_copies_that_differ_in_composition_are_the_same(
    encoding: Path, algorithm: Algorithm, *, composed: bool
) -> None:
    """In text, title and metadata, if they are composed; otherwise both are as in the page."""
    page = (
        '<title>Caf\u00e9</title><meta name="author" content="Ren\u00e9">'
        f"<p>{PROSE} Caf\u00e9 fa\u00e7ade</p><p lang=km>\u1780\u200b\u1781"
    )
    archive = encoding.with_name("3.warc.gz")
    bodies = [page, unicodedata.normalize("NFD", page)]
    archive.write_bytes(b"".join(record(str(number), body.encode()) for number, body in enumerate(bodies)))
    write_table(read_archives("b", [archive], get("en"), default_page_rules(), "detected"), schemas.ENCODING, encoding)
    with TableWriter(encoding.with_name("boilerplate.parquet"), schemas.BOILERPLATE) as rows:
        pages = classify_batch(encoding, OneLanguage(get("en")), PageOptions(algorithm, composed=composed), rows)
    blocks = read_table(encoding.with_name("boilerplate.parquet"), schemas.BOILERPLATE)
    for table, columns in ((blocks, ["text", "verdict", "words"]), (pages, ["title", "author"])):
        first, second = (table.filter(record=number).select(columns).rows() for number in (0, 1))
        assert (first == second) == composed
        if composed:
            assert unicodedata.normalize("NFC", repr(first)) == repr(first)
    assert blocks["text"].to_list()[-1] == "\u1780\u1781"
    if isinstance(algorithm, JusText):
        assert blocks["breaks"].to_list() == [None, [1], None, [1]]
