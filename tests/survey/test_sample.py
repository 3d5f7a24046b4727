"""The sample that a survey reads."""

import gzip
import random
from pathlib import Path

import pytest
import zstandard
from support.archives import warc_record

from corpusprep.archive.records import first_record, records, records_from
from corpusprep.errors import ArchiveError
from corpusprep.survey import sample as survey_sample
from corpusprep.survey.sample import WINDOW, read, take


def members(name: str, count: int) -> list[bytes]:
    """Records of different lengths, each a gzip member; the text does not compress."""
    drawn = random.Random(name)
    return [
        warc_record(
            f"http://{name}.example/{number}", b"<p>" + drawn.randbytes(drawn.randrange(200, 9_000)).hex().encode()
        )
        for number in range(count)
    ]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same kind of archive, compressed by record and as a whole, and not compressed."""
    folder = tmp_path_factory.mktemp("archives")
    made = {
        "members.warc.gz": b"".join(members("members", 150)),
        "plain.warc": b"".join(map(gzip.decompress, members("plain", 60))),
        "frames.warc.zst": b"".join(zstandard.compress(gzip.decompress(one)) for one in members("frames", 60)),
        "whole.warc.gz": gzip.compress(b"".join(map(gzip.decompress, members("whole", 60))), mtime=0),
        "empty.warc.gz": b"",
    }
    for name, data in made.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in made]


def taken(archives: list[Path], wanted: int, seed: int = 0) -> list[tuple[str, int]]:
    """The archive and offset of each record of a sample."""
    sample = take(archives, wanted, seed)
    return [(sample.windows[number].archive.name, record.offset) for number, record in read(sample)]


def test_the_sample_is_all_records_that_begin_in_its_windows(archives: list[Path]) -> None:
    """Each once, whether or not the archive can be read from the middle."""
    for seed in range(4):
        sample = take(archives, 400_000, seed)
        starts = {(window.archive.name, window.start) for window in sample.windows}
        expected = [
            (path.name, record.offset)
            for path in archives
            for record in records(path)
            if (path.name, record.offset // WINDOW * WINDOW) in starts
        ]
        assert sorted(taken(archives, 400_000, seed)) == sorted(expected)
        assert not sample.complete


def test_everything_is_taken_if_there_is_no_more(archives: list[Path]) -> None:
    """Then the sample is complete, and the empty archive is counted."""
    sample = take(archives, 10**9, 0)
    assert sample.complete
    assert (sample.archives, sample.empty) == (5, 1)
    assert sample.sampled_bytes == sample.stored_bytes == sum(path.stat().st_size for path in archives)
    assert sorted(taken(archives, 10**9)) == sorted(
        (path.name, one.offset) for path in archives for one in records(path)
    )


def test_the_sample_does_not_depend_on_the_order_of_archives(archives: list[Path]) -> None:
    """It depends on the seed."""
    assert taken(archives, 300_000) == taken(archives[::-1], 300_000)
    assert taken(archives, 300_000) != taken(archives, 300_000, seed=1)


def test_each_record_is_taken_with_the_same_probability(archives: list[Path]) -> None:
    """Over many seeds, each window is taken as often as any other; the number of windows is always that asked for."""
    total = take(archives, 1, 0).all_windows
    seeds = range(300)
    counts: dict[tuple[str, int], int] = {}
    for seed in seeds:
        sample = take(archives, sum(path.stat().st_size for path in archives) // 4, seed)
        assert len(sample.windows) == round(total / 4)
        for window in sample.windows:
            key = window.archive.name, window.start
            counts[key] = counts.get(key, 0) + 1
    assert len(counts) == total
    # 300 draws with probability 1/4: mean 75, standard deviation 7.5.
    assert all(75 - 38 < count < 75 + 38 for count in counts.values())


def test_hashes_above_the_limit_are_not_held(archives: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """With very many windows, the sample is the same."""
    before = taken(archives, 300_000)
    monkeypatch.setattr(survey_sample, "_FEW", 1)
    monkeypatch.setattr(survey_sample, "_CANDIDATES", 3)
    assert taken(archives, 300_000) == before


def test_a_record_is_found_from_a_place_inside_another(archives: list[Path]) -> None:
    """The first that begins there, and those after it, are read as from the start of the archive."""
    for path in archives[:3]:
        every = list(records(path))
        inside = every[3].offset + 5
        assert first_record(path, inside, every[5].offset + 1) == every[4].offset
        assert first_record(path, inside, every[4].offset) is None
        found = [(one.url, one.offset, one.body) for one in records_from(path, every[4].offset)]
        assert found == [(one.url, one.offset, one.body) for one in every[4:]]
    whole = archives[3]
    assert first_record(whole, 10, whole.stat().st_size) is None


def test_a_missing_archive_is_named(tmp_path: Path) -> None:
    """In one line."""
    with pytest.raises(ArchiveError, match=r"gone\.warc"):
        take([tmp_path / "gone.warc"], 100, 0)
