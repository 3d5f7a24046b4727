"""The folder of a corpus that is made from finished ones."""

from pathlib import Path

import pytest
from support.finished_corpora import LATER, PAGES, made

from corpusprep.archive.batches import batch_names, read_bundles
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.jobs import joining, packing

FIRST, SECOND, THIRD = (f"b{number:016x}" for number in (3, 2, 1))


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    """Two finished corpora, which have a batch in common."""
    one = made(tmp_path / "one", {SECOND: "b.warc", THIRD: "c.warc"})
    return [one, made(tmp_path / "two", {FIRST: "a.warc", THIRD: "c.warc"})]


@pytest.mark.parametrize("packed", [False, True])
def test_files_of_pages_are_taken_over(tmp_path: Path, sources: list[Path], packed: bool) -> None:
    """In the order of the archives, each batch once; links, or what is packed; no files of later steps."""
    if packed:
        packing.pack(sources[0])
    for _ in range(2):
        joining.join(tmp_path / "all", [*sources, sources[0]])
    assert (tmp_path / "all/against/known.keys").is_symlink()
    assert batch_names(tmp_path / "all/batches.tsv") == [FIRST, SECOND, THIRD]
    assert list(read_bundles(tmp_path / "all/bundles.tsv").values()) == [[FIRST, SECOND, THIRD]]
    for batch, archive in ((FIRST, "a.warc"), (SECOND, "b.warc"), (THIRD, "c.warc")):
        for pattern in PAGES:
            path = tmp_path / "all" / pattern.format(batch)
            assert path.read_text(encoding="utf-8") == f"{archive} {pattern}"
            assert path.is_symlink() == (not packed or batch == FIRST or "boilerplate" in pattern)
        assert not any((tmp_path / "all" / pattern.format(batch)).exists() for pattern in LATER)


def test_folders_between_may_go(tmp_path: Path, sources: list[Path]) -> None:
    """A corpus that is made from one that was made so has links to the files themselves; old batches are removed."""
    joining.join(tmp_path / "between", sources)
    joining.join(tmp_path / "all", [tmp_path / "between"])
    path = tmp_path / "all" / PAGES[0].format(FIRST)
    assert path.readlink() == Path("../../two", PAGES[0].format(FIRST))
    (sources[1] / PAGES[0].format(FIRST)).unlink()
    joining.join(tmp_path / "all", sources[:1])
    assert not path.is_symlink()


def test_an_archive_in_two_corpora_is_refused(tmp_path: Path, sources: list[Path]) -> None:
    """If its batches differ: its pages would count twice."""
    sources.append(made(tmp_path / "three", {f"b{9:016x}": "a.warc"}))
    with pytest.raises(ConfigError, match=r"a\.warc is in .*two and in .*three"):
        joining.planned(sources)


def test_a_missing_file_is_named(tmp_path: Path, sources: list[Path]) -> None:
    """Before batches.tsv says that the corpus has all."""
    (sources[0] / PAGES[1].format(SECOND)).unlink()
    with pytest.raises(StageFileError, match=PAGES[1].format(SECOND)):
        joining.join(tmp_path / "all", sources)
    assert not (tmp_path / "all/batches.tsv").exists()


def test_a_link_into_a_corpus_that_was_packed_later(tmp_path: Path, sources: list[Path]) -> None:
    """The error says which corpus to unpack."""
    joining.join(tmp_path / "all", sources)
    packing.pack(sources[1])
    message = str(StageFileError.missing(tmp_path / "all" / PAGES[1].format(FIRST)))
    assert message.startswith(f"{sources[1].resolve()}: its files are packed")
