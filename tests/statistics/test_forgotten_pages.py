"""Pages whose text is shown nowhere."""

from pathlib import Path

import polars as pl

from corpusprep.dedup.forgetting import ForgetList
from corpusprep.statistics.forgotten_pages import forgotten_pages
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.tables.verdicts import KEPT

#: Record, address, digest of the bytes, verdict of `documents` (None: an earlier stage removed the page).
PAGES = [
    (1, "http://a.example/1", "a" * 32, "forgotten"),
    (2, "http://a.example/2", "b" * 32, None),
    (3, "http://b.example/", "c" * 32, None),
    (4, None, None, None),
    (5, "http://b.example/5", "d" * 32, KEPT),
]
PART = JoinedVerdicts(
    pl.DataFrame(),
    pl.DataFrame(PAGES, schema=["record", "url", "page_digest", "documents"], orient="row"),
    pl.DataFrame(),
)


def named(folder: Path, *entries: str) -> list[int]:
    """The records of PART that a list with these entries names, or that `documents` has found."""
    (folder / "list.txt").write_text("".join(f"{entry}\n" for entry in entries), encoding="utf-8")
    return forgotten_pages(PART, ForgetList.read(folder / "list.txt"))["record"].to_list()


def test_documents_and_pages_that_were_removed_before(tmp_path: Path) -> None:
    """By address, host or bytes; documents by what `documents` has found alone."""
    assert forgotten_pages(PART, None)["record"].to_list() == [1]
    assert named(tmp_path, "a.example") == [1, 2]
    assert named(tmp_path, "http://b.example/*") == [1, 3]
    assert named(tmp_path, "c" * 32, "f" * 16) == [1, 3]
    assert named(tmp_path, "http://other.example/") == [1]
