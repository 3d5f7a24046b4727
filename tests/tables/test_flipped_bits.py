"""A flipped bit in a stage file is noticed by the step that reads it, or changes nothing."""

import contextlib
import io
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from support.batch_fixture import Page, write_batch
from support.block_stage import crawl, write_batches
from support.corpus_layout import NAMES, Run, lay_out, runs

from corpusprep import languages, pipeline
from corpusprep.archive.batches import Batch, read_batches, read_bundles, write_bundles
from corpusprep.archive.batches import write_batches as write_plan
from corpusprep.commands.application import main
from corpusprep.errors import LanguageError, StageFileError
from corpusprep.io import checksums, times, tsv
from corpusprep.languages import model
from corpusprep.tables.parquet_sizes import row_groups
from corpusprep.tables.reading import TablePieces, read_table
from corpusprep.tables.writing import TableWriter
from corpusprep.text.vertical import read_documents

PLENTY = ["--memory", "4G"]
#: Flips per file; all of them with the slow tests.
PLACES = [pytest.param(8, id="some"), pytest.param(200, id="all", marks=pytest.mark.slow)]


def flips(data: bytes, count: int) -> list[bytes]:
    """Returns the data with one bit flipped, each time another: the first and last bytes, and places between."""
    chance = random.Random(len(data))
    bits = 8 * len(data)
    places = {
        chance.randrange(64),
        bits - 1 - chance.randrange(64),
        *range(chance.randrange(64), bits, bits // count + 1),
    }
    flipped = []
    for place in sorted(places):
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        flipped.append(bytes(changed))
    return flipped


def run(arguments: list[str]) -> tuple[object, str]:
    """Runs a command; returns its exit code and its last message."""
    with contextlib.redirect_stderr(io.StringIO()) as stderr, pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code, stderr.getvalue().strip().rpartition("\n")[2]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a small corpus that has gone through all steps."""
    flat, folder = tmp_path_factory.mktemp("flat"), tmp_path_factory.mktemp("done")
    write_batches(flat, crawl(200), [range(100), range(100, 200)])
    lay_out(flat, folder)
    for name, step in runs().items():
        if name != "documents":
            assert run([*step.arguments(folder), *PLENTY])[0] == 0, name
    return folder


def _readers() -> dict[str, tuple[Run, str]]:
    """Returns, by step and kind of file, a process and the file of that kind that it reads."""
    found: dict[str, tuple[Run, str]] = {}
    for process in runs().values():
        for kind in (*process.step.reads, *process.step.implied):
            path = pipeline.FILES[kind].pattern.format(batch=NAMES[0], bundle=NAMES[0], part=0)
            if path in process.inputs and process.step.name != "documents":
                found.setdefault(f"{process.step.name}: {kind}", (process, path))
    return found


READERS = _readers()


@pytest.mark.parametrize("count", PLACES)
@pytest.mark.parametrize("reader", READERS)
def test_a_step_notices(done: Path, tmp_path: Path, reader: str, count: int) -> None:
    """Ends with an error that names a file of the corpus and says what to do, or writes the same as ever."""
    process, path = READERS[reader]
    process.prepare(done, tmp_path)
    for name in process.inputs:  # with their checksums
        for checksum in (done / name).parent.glob(f".{Path(name).name}.checksum"):
            shutil.copy(checksum, (tmp_path / name).parent)
    data = (done / path).read_bytes()
    for flipped in flips(data, count):
        (tmp_path / path).unlink()
        (tmp_path / path).write_bytes(flipped)
        code, said = run([*process.arguments(tmp_path), *PLENTY])
        if code == 0:
            assert all((tmp_path / name).read_bytes() == (done / name).read_bytes() for name in process.outputs)
        else:
            assert str(tmp_path) in said
            assert "again" in said or "run" in said


FRAME = pl.DataFrame({"number": range(500), "text": [f"smála {number % 7}" for number in range(500)]})


def _table(folder: Path) -> Path:
    with TableWriter(folder / "t.parquet", FRAME.schema, rows_per_group=100) as table:
        table.extend(FRAME)
    return folder / "t.parquet"


def _pieces(path: Path) -> list[object]:
    return [piece.rows() for piece in TablePieces(path, ["text"], 90)]


def _vertical(folder: Path) -> Path:
    return write_batch(folder, [Page(url=f"http://a.example/{number}") for number in range(20)]).vertical


def _documents(path: Path) -> list[object]:
    return list(read_documents(path))


def _plan(folder: Path) -> Path:
    write_plan(
        [Batch(f"b{number:016x}", (Path(f"a{number}.warc"),), (number,)) for number in range(9)], folder / "b.tsv"
    )
    return folder / "b.tsv"


def _bundles(folder: Path) -> Path:
    write_bundles({"g1": ["b1", "b2"], "b3": ["b3"]}, folder / "bundles.tsv")
    return folder / "bundles.tsv"


def _statistics(folder: Path) -> Path:
    tsv.write(folder / "ledger.tsv", ("stage", "count"), [("encoding", number) for number in range(99)])
    return folder / "ledger.tsv"


def _times(folder: Path) -> Path:
    times.write_times(folder / "all.tsv")
    return folder / "all.tsv"


def _model(folder: Path) -> Path:
    model.save(languages.get("cs"), folder / "cs.model")
    return folder / "cs.model"


#: How a file of each kind is made and read.
KINDS: dict[str, tuple[Callable[[Path], Path], Callable[[Path], object]]] = {
    "table": (_table, lambda path: read_table(path, FRAME.schema).rows()),
    "table in pieces": (_table, _pieces),
    "sizes of a table": (_table, lambda path: row_groups(path, ["text"])),
    "vertical": (_vertical, _documents),
    "batches": (_plan, read_batches),
    "bundles": (_bundles, read_bundles),
    "statistics": (_statistics, tsv.read),
    "times": (_times, lambda path: times.read_times(path.parent)),
    "model": (_model, lambda path: model.load(path).name),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_reader_notices(tmp_path: Path, kind: str) -> None:
    """At 200 places: an error that names the file and what to do, or the same content as ever."""
    make, read = KINDS[kind]
    path = make(tmp_path)
    expected = read(path)
    noticed = 0
    for flipped in flips(path.read_bytes(), 200):
        path.unlink()
        path.write_bytes(flipped)
        said, found = _read(read, path)
        if said:
            assert said.startswith(f"{path}: ")
            assert any(advice in said for advice in ("again", "remove it", "make one"))
            noticed += 1
        else:
            assert found == expected
    assert noticed > 100


def _read(read: Callable[[Path], object], path: Path) -> tuple[str, object]:
    """Returns the error's message, and what was read."""
    try:
        return "", read(path)
    except (StageFileError, LanguageError) as error:
        return str(error), None


def test_a_damaged_checksum_is_noticed(tmp_path: Path) -> None:
    """The checksum beside a text file; without it, the file is read."""
    path = _statistics(tmp_path)
    beside = checksums.place(path)
    for flipped in flips(beside.read_bytes(), 20):
        beside.write_bytes(flipped)
        with pytest.raises(StageFileError, match=r"ledger\.tsv: damaged, or changed by hand"):
            tsv.read(path)
    beside.unlink()
    assert len(tsv.read(path)) == 99


def test_a_sealed_table_is_parquet(tmp_path: Path) -> None:
    """The seal is in none of the places that readers of Parquet look at; the columns are where they were."""
    path = _table(tmp_path)
    assert pl.read_parquet(path).equals(FRAME)
    assert pl.scan_parquet(path).filter(pl.col("number") > 450).collect().height == 49
    assert path.read_bytes()[:4] == path.read_bytes()[-4:] == b"PAR1"
