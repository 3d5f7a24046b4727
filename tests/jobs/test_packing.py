"""Files of a finished corpus, packed and unpacked."""

import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.finished_corpora import LATER, PAGES, made

from corpusprep.commands import pack_stages, recut, search, why
from corpusprep.errors import PACKED, StageFileError
from corpusprep.inspection.browse import corpora
from corpusprep.jobs import finished, packing
from corpusprep.tables.batch_files import refuse_packed

BATCHES = {f"b{1:016x}": "a.warc", f"b{2:016x}": "b.warc"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A finished corpus of two batches."""
    return made(tmp_path / "corpus", BATCHES)


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """The bytes and the times of change of all files."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_packing_and_unpacking_leaves_all_as_it_was(corpus: Path) -> None:
    """Three files per batch stay here: blocks, corpus, pack; then all are back, with their times."""
    before = contents(corpus)
    packed = packing.pack(corpus)
    assert packed == len(BATCHES) * (len(PAGES) + len(LATER) - 2) + 1
    for batch in BATCHES:
        left = {str(path.relative_to(corpus)) for path in corpus.rglob(f"*{batch}*")}
        assert left == {f"boilerplate/{batch}.parquet", f"corpus/{batch}.vert.zst", f"{PACKED}/{batch}.tar"}
    assert packing.pack(corpus) == 0
    assert packing.unpack(corpus) == packed
    assert contents(corpus) == before


def test_a_killed_command_goes_on(corpus: Path) -> None:
    """Some files are packed and still there; some are unpacked and still packed."""
    before = contents(corpus)
    packing.pack(corpus)
    tar = packing.pack_file(corpus, next(iter(BATCHES)))
    content = tar.read_bytes()
    packing.unpack(corpus)
    tar.parent.mkdir()
    tar.write_bytes(content)
    packing.pack(corpus)
    packing.unpack(corpus)
    assert contents(corpus) == before
    tar.parent.mkdir()
    tar.write_bytes(content)
    (corpus / PAGES[1].format(next(iter(BATCHES)))).write_text("new", encoding="utf-8")
    with pytest.raises(StageFileError, match="made again since"):
        packing.pack(corpus)


def test_what_is_packed_is_named(corpus: Path) -> None:
    """By commands that look into the corpus, and where a file is missing."""
    packing.pack(corpus)
    with pytest.raises(StageFileError, match=r"packed; run `corpusprep pack-stages --unpack .*corpus` first"):
        refuse_packed(corpus)
    assert "packed; run" in str(StageFileError.missing(corpus / "encoding" / "x.parquet"))


def test_only_finished_corpora_are_packed(corpus: Path) -> None:
    """And only packed ones unpacked."""
    with pytest.raises(StageFileError, match="nothing is packed"):
        packing.unpack(corpus)
    (corpus / finished.NAME).unlink()
    with pytest.raises(StageFileError, match="no finished corpus"):
        packing.pack(corpus)


@pytest.mark.parametrize("name", ["../outside/x", "/tmp/outside/x", "encoding/x"])
def test_packs_of_others_are_refused(corpus: Path, name: str) -> None:
    """Names that lead out of the folder, and files without a time in nanoseconds."""
    packing.pack(corpus)
    tar = packing.pack_file(corpus, next(iter(BATCHES)))
    with tarfile.open(tar, "w", format=tarfile.PAX_FORMAT) as packed:
        entry = tarfile.TarInfo(name)
        entry.pax_headers = {} if name == "encoding/x" else {"CORPUSPREP.mtime_ns": "1"}
        packed.addfile(entry)
    with pytest.raises(StageFileError, match="not written by corpusprep"):
        packing.unpack(corpus)
    tar.write_bytes(b"no tar")
    with pytest.raises(StageFileError, match="damaged"):
        list(packing.members(corpus, next(iter(BATCHES))))


def test_the_command_packs_and_unpacks(corpus: Path) -> None:
    """It prints numbers of files; commands that look into the corpus are refused in between, not those on its page."""
    run = CliRunner().invoke
    packed = run(pack_stages.command, [str(corpus)])
    assert packed.output == f"{corpus}: 19 files packed\n"
    for command in (why.command, search.command, recut.command):
        refused = run(command, [str(corpus), "word"])
        assert isinstance(refused.exception, StageFileError)
        assert "packed; run" in str(refused.exception)
    assert "packed; run" in corpora.describe("corpus", corpus).problem
    locked = run(pack_stages.command, ["--unpack", str(corpus)])  # this process has the folder until it ends
    assert "a run works on it" in str(locked.exception)
