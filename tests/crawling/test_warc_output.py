"""WARC files of a crawl stay whole, whatever ends it."""

import contextlib
import errno
import io
import random
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from corpusprep.crawling import warc_output
from corpusprep.crawling.warc_output import OPEN, WarcFiles

DATE = "2024-05-06T07:08:09Z"


class FullDisk(io.FileIO):
    """A file on a disk with room for 2,000 bytes."""

    def write(self, data: object) -> int:
        """Writes what fits."""
        view = memoryview(data)  # type: ignore[arg-type]
        room = max(0, 2000 - self.tell())
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(view[:room])


def write(files: WarcFiles, number: int) -> None:
    """Writes a page of about 200 bytes."""
    files.exchange(f"http://a.example/{number}", DATE, "200 OK", [("Content-Type", "text/html")], b"%d" % number * 9)


def pages(folder: Path) -> list[str]:
    """The addresses of the responses in the files that are complete, each of which warcio finds whole."""
    found = []
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                record.content_stream().read()
                if record.rec_type == "response":
                    found.append(record.rec_headers.get_header("WARC-Target-URI").rpartition("/")[2])
    return found


def test_a_full_disk_cuts_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file ends with the last exchange that fitted; it goes on where there is room again."""
    monkeypatch.setattr(warc_output, "FileIO", FullDisk)
    fitted = 0
    with contextlib.suppress(OSError), WarcFiles(tmp_path, "crawl", {}) as files:
        while fitted < 99:
            write(files, fitted)
            fitted += 1
    assert 0 < fitted < 99
    monkeypatch.undo()
    assert pages(tmp_path) == list(map(str, range(fitted)))
    with WarcFiles(tmp_path, "crawl", {}) as files:
        write(files, fitted)
    assert pages(tmp_path) == list(map(str, range(fitted + 1)))


def test_a_disk_without_room_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even a record that says what the file is."""
    monkeypatch.setattr(warc_output, "FileIO", FullDisk)
    with pytest.raises(OSError, match="No space"), WarcFiles(tmp_path, "crawl", {}) as files:
        files.text("http://a.example/", DATE, random.Random(0).randbytes(9999))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cut", [1, 100, 700])
def test_what_a_killed_crawl_has_begun_is_cut_off(tmp_path: Path, cut: int) -> None:
    """The next crawl names the file; a file without a whole record goes."""
    with WarcFiles(tmp_path, "crawl", {}) as files:
        for number in range(3):
            write(files, number)
    [path] = files.paths()
    whole = path.read_bytes()
    path.unlink()
    (tmp_path / f"crawl-00000.warc.gz{OPEN}").write_bytes(whole[:-cut])
    (tmp_path / f"crawl-00001.warc.gz{OPEN}").write_bytes(whole[:20])
    WarcFiles(tmp_path, "crawl", {})
    assert pages(tmp_path) in (["0", "1"], ["0"], [])
    assert [path.name for path in tmp_path.iterdir()] == ["crawl-00000.warc.gz"]
