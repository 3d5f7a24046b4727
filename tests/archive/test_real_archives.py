"""Archives of public test suites: every file reads or gets named verdicts, fast and to the last byte."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from support.reading_work import ReadingWork

from corpusprep.archive.records import records
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.archive.tolerant_reader import read_stretches
from corpusprep.tables.verdicts import RECORD_REASONS

pytestmark = pytest.mark.data

#: Files the manifest calls valid in which a record is mended. In each the declared length runs past the
#: end of the record: checkouts with converted line ends have shortened the content (warcio and FastWARC
#: give the rest as if it were all), or the file is one that its project keeps for being cut short.
MENDED_IN_VALID = {
    "datatogether__warc/testdata__test.warc",
    "datatogether__warc/testdata__warcio__example-trunc.warc",
    "webrecorder__warcio/test__data__example-trunc.warc",
    "webrecorder__warcio/test__data__example-space-in-url.arc",
    # Here line ends were lengthened instead: the declared length ends before the content does.
    "netarchivesuite__jwat/jwat-arc__src__test__resources__test-arc-1.0-dashed-fields.arc",
} | {
    f"toimik__WarcProtocol/tests__Toimik.WarcProtocol.Tests__Data__Valid__{name}.warc"
    for name in (
        "1.0__resource",
        "1.0__response",
        "1.0__revisit_unmodified",
        "1.0__without-block-digest__resource",
        "1.0__without-block-digest__revisit_unmodified",
        "1.1__misc__response_gemini_w_payload",
        "1.1__response",
        "1.1__warcinfo",
        "1.1__without-block-digest__resource",
        "1.1__without-block-digest__response",
        "1.1__without-block-digest__warcinfo",
    )
}


@pytest.fixture(scope="module")
def manifest(unpacked: Callable[[str], Path]) -> list[tuple[Path, dict[str, str]]]:
    """The files, and what other readers found in them."""
    folder = unpacked("warc")
    with (folder / "manifest.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [(folder / row["path"], row) for row in rows if (folder / row["path"]).is_file()]


def test_every_file_is_accounted_for(
    manifest: list[tuple[Path, dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No traceback; records tile each file, damage has a name, and no byte is read many times."""
    work = ReadingWork(monkeypatch)
    for path, _ in manifest:
        position = 0
        for record in records(path):
            assert record.offset == position, path
            assert record.verdict is None or record.verdict in RECORD_REASONS
            position += record.length
        assert position == path.stat().st_size, path
    assert work.bytes <= 3 * sum(path.stat().st_size for path, _ in manifest)
    assert len(manifest) > 180


def test_valid_files_have_the_records_that_other_readers_find(
    manifest: list[tuple[Path, dict[str, str]]],
) -> None:
    """The number of records is that of warcio or FastWARC; none is damaged, and those known to be wrong are mended."""
    for path, row in manifest:
        if row["class"] != "valid" or not int(row["records_warcio"]):
            continue
        found = list(records(path))
        assert str(len(found)) in {row["records_warcio"], row["records_fastwarc"]}, path
        assert not any(record.verdict == "damaged" for record in found), path
        assert any(record.mended for record in found) == (row["path"] in MENDED_IN_VALID), path


def test_valid_files_have_the_pages_that_warcio_finds(manifest: list[tuple[Path, dict[str, str]]]) -> None:
    """The number of HTML responses is that of warcio, or higher where warcio stops at a body that it cannot decode."""
    for path, row in manifest:
        if row["class"] != "valid":
            continue
        pages = sum("html" in record.content_type for record in records(path))
        if row["path"].endswith("testdata__response.warc"):
            pages += 1  # its response has no status line: bad_http
        stopped = row["warcio_error"] or row["records_warcio"] != row["records_fastwarc"] != ""
        assert pages == int(row["html_responses"]) or (stopped and pages > int(row["html_responses"])), path


def test_both_readers_give_the_same_stretches(manifest: list[tuple[Path, dict[str, str]]]) -> None:
    """The fast and the tolerant reader agree on every file, real crawls and damaged ones."""
    for path, _ in manifest:
        stored = StoredFile(path)
        own = [(b.offset, b.length, b.head and (b.head.url, b.head.date, b.head.record_type))
               for b in read_stretches(stored, 0, 21_000_000)]  # fmt: skip
        stored.close()
        assert [
            (r.offset, r.length, (r.url, r.date, r.record_type) if r.record_type or r.url else None)
            for r in records(path)
        ] == [(o, n, h if h and (h[0] or h[2]) else None) for o, n, h in own], path
