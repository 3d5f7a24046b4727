"""Checksums beside text files that are replaced."""

from collections.abc import Callable
from pathlib import Path

import pytest

from corpusprep.archive.batches import read_bundles, write_bundles
from corpusprep.io import checksums, tsv


@pytest.mark.parametrize(
    ("write", "read"),
    [
        (lambda path, name: tsv.write(path, ["name"], [[name]]), lambda path: [row["name"] for row in tsv.read(path)]),
        (lambda path, name: write_bundles({name: ["b0"]}, path), lambda path: list(read_bundles(path))),
    ],
    ids=["table", "bundles"],
)
def test_a_file_that_was_replaced_by_a_killed_process_is_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[Path, str], None],
    read: Callable[[Path], list[str]],
) -> None:
    """The file is complete, but has no checksum yet; that of the file before is gone."""

    def killed(path: Path) -> None:
        raise KeyboardInterrupt(path)

    path = tmp_path / "table.tsv"
    write(path, "old")
    assert checksums.place(path).exists()
    with monkeypatch.context() as patch:
        patch.setattr(checksums, "store", killed)
        with pytest.raises(KeyboardInterrupt):
            write(path, "new")
    assert read(path) == ["new"]
    write(path, "newest")
    assert checksums.place(path).exists()
