"""Files that users name: pipes and devices among them."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from corpusprep import errors, extract
from corpusprep.archive.inputs import records
from corpusprep.config import file
from corpusprep.crawling import url_lists
from corpusprep.io import entries, named_files, sheets
from corpusprep.pages import language_samples
from corpusprep.reuse import sources

READERS: dict[str, Callable[[Path], object]] = {
    "config": file.read,
    "list": lambda path: list(entries.entries([f"@{path}"])),
    "addresses": lambda path: url_lists.read([path]),
    "sample": language_samples.read_text,
    "sheet": lambda path: list(sheets.read(path, ["id"])),
    "sources": sources.read_truth,
}
AT_ANY_PLACE: dict[str, Callable[[Path], object]] = {
    "archive": lambda path: next(records(path)),
    "language": lambda path: extract("<p>text", str(path)),
    "model": lambda path: extract("<p>text", model=str(path)),
}


@pytest.mark.parametrize("reader", [*READERS, *AT_ANY_PLACE])
def test_a_device_is_refused(reader: str) -> None:
    """It has no end: reading it would take all memory."""
    with pytest.raises(errors.CorpusprepError, match=r"^(cannot read archive )?/dev/zero.*device"):
        (READERS | AT_ANY_PLACE)[reader](Path("/dev/zero"))


@pytest.mark.parametrize("reader", AT_ANY_PLACE)
def test_a_pipe_is_refused_where_a_file_is_needed(reader: str, tmp_path: Path) -> None:
    """Opening it would wait for a writer."""
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(errors.CorpusprepError, match="pipe"):
        AT_ANY_PLACE[reader](pipe)


def test_a_pipe_is_read_where_its_content_is_enough(tmp_path: Path) -> None:
    """As a shell makes one of `<(command)`."""
    os.mkfifo(pipe := tmp_path / "pipe")
    writer = threading.Thread(target=pipe.write_bytes, args=[b"https://a.example/\n"])
    writer.start()
    assert url_lists.read([pipe]) == ["https://a.example/"]
    writer.join()
    assert named_files.read(Path(os.devnull)) == b""


def test_a_file_that_is_no_model_is_not_read(tmp_path: Path) -> None:
    """A crawl may be larger than memory."""
    with (large := tmp_path / "x.model").open("wb") as written:
        written.truncate(1 << 42)
    for read in (AT_ANY_PLACE["language"], AT_ANY_PLACE["model"]):
        with pytest.raises(errors.CorpusprepError, match="not a"):
            read(large)
