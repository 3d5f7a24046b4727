"""What a run needs is compared with what the machine has."""

from pathlib import Path

import pytest

from corpusprep.io import machine
from corpusprep.jobs import room


@pytest.mark.parametrize(
    ("free", "refused", "noted"), [(50, True, False), (100, False, True), (999, False, True), (1000, False, False)]
)
def test_a_disk_with_too_little_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: int, refused: bool, noted: bool
) -> None:
    """A run that surely cannot end is refused; one that may not is told so."""
    monkeypatch.setattr(machine, "room", lambda _: free * 10**6)
    assert [bool(room.refusals(10**9, tmp_path)), bool(room.disk_notes(10**9, tmp_path))] == [refused, noted]
    assert not room.refusals(0, tmp_path)


def test_the_folder_need_not_be_there(tmp_path: Path) -> None:
    """The room is that of the nearest one above."""
    assert machine.room(tmp_path / "a" / "b") > 0


@pytest.mark.parametrize(
    ("memory", "batches", "notes"),
    [(2, [8], 0), (2, [10, 10], 1), (20, [10], 1), (20, [10, 10, 10], 2), (20, [1], 0), (2, [], 0)],
)
def test_jobs_larger_than_the_machine(
    monkeypatch: pytest.MonkeyPatch, memory: int, batches: list[int], notes: int
) -> None:
    """With 10 GB: jobs on a batch of 10 GB ask for 11 GB; `memory` counts only where the archives need it."""
    monkeypatch.setattr(machine, "memory", lambda: 10 * 10**9)
    assert len(room.memory_notes([size * 10**9 for size in batches], memory * 10**9)) == notes
