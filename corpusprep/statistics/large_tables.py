"""Adds up the tables with many keys: in one process, or in several that each take a range of the keys.

A range is added up and reduced to what the table can need of it: all hosts, but only the words that could be in a
table. The ranges of a table have about the same number of rows. So parts do not wait for each other, and what they give
does not depend on their number.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.io.progress import track
from corpusprep.statistics import counts_file, registry
from corpusprep.statistics.batch_counts import RUNNING_WORDS
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.domains import Domains
from corpusprep.statistics.keywords import Keywords
from corpusprep.statistics.table import Source
from corpusprep.tables.key_sums import HELD_BYTES, KeySums, merged
from corpusprep.tables.reading import read_rows, reading

#: Batches whose keys decide the ranges; with more of them, the ranges are hardly more equal.
SAMPLED_BATCHES = 16
#: Keys of a batch that are read at once for this.
_SAMPLED_ROWS = 1 << 18
#: Sums of words that are reduced at once: about 10 MB.
_REDUCED_ROWS = 1 << 17
#: Words are searched for with one occurrence in so many running words, first.
_SEARCHED = 250_000
#: Numbers of occurrences that are compared with limits: powers of this, up to 10^14.
_STEP, _STEPS = 1.05, 660
#: Of the memory of a process, what the sums of one table may take: sorting takes several times as much.
_SHARE_OF_MEMORY = 32


def in_one(
    files: Sequence[counts_file.CountsFile], name: str, running: Mapping[str, int], folder: Path
) -> pl.DataFrame:
    """Adds up the keys of a table of all batches.

    Args:
        files: the counts of the batches.
        name: of the table.
        running: number of running words by name (Keywords.numbers).
        folder: for temporary files.
    """
    frequent = frequent_words(files, running) if name == Keywords.name else None
    if frequent is not None:
        return frequent
    numbers = registry.table(name).numbers
    return _reduced(name, merged((file.run(name, numbers) for file in files), folder), running)


def frequent_words(files: Sequence[counts_file.CountsFile], running: Mapping[str, int]) -> pl.DataFrame | None:
    """Adds up only the words that can be in a table: what `_reduced` gives for all words, in a fifth of the time.

    A word with `least` occurrences has at least 1 / batches of them in one of the batches: only words that do are added
    up. What is found says how many occurrences others would need; if that is less than `least`, the search is repeated.

    Args:
        files: the counts of the batches.
        running: number of running words by name (Keywords.numbers).

    Returns:
        The words, in ascending order; None if there are too many to be in memory.
    """
    least = {name: 1 + number // _SEARCHED for name, number in running.items()}
    while True:
        enough = pl.any_horizontal(pl.col(name) >= -(-number // max(1, len(files))) for name, number in least.items())
        keys = pl.Series("key", [], pl.String)
        for rows in _filtered(files, enough):
            keys = pl.concat([keys, rows["key"]]).unique()
            if len(keys) > _REDUCED_ROWS:
                return None
        sums = pl.DataFrame(schema={"key": pl.String, **dict.fromkeys(Keywords.numbers, pl.Int64)})
        searched = pl.col("key").is_in(keys.implode())
        for rows in _filtered(files, searched):
            sums = pl.concat([sums, rows]).group_by("key").sum()
        best = _reduced(Keywords.name, [sums], running)
        needed = _needed(best, running)
        if all(needed[name] >= number for name, number in least.items()):
            return best
        least = {name: min(number, needed[name]) for name, number in least.items()}


def _filtered(files: Sequence[counts_file.CountsFile], where: pl.Expr) -> Iterator[pl.DataFrame]:
    """Yields the words of all batches that meet a condition, in pieces; more than _REDUCED_ROWS of a batch are cut."""
    most = _REDUCED_ROWS + 1
    return _gathered(file.filtered(Keywords.name, Keywords.numbers, where, most) for file in files)


def _needed(best: pl.DataFrame, running: Mapping[str, int]) -> dict[str, int]:
    """Returns a number of occurrences per name: with fewer of each, no word can be in a table beside `best`."""
    counts = pl.Series([0, *dict.fromkeys(int(_STEP**power) for power in range(_STEPS))], dtype=pl.Int64)
    needed = {}
    for name in running:
        words = pl.DataFrame({other: counts if other == name else 0 for other in running})
        below = counts.filter(~words.select(_possible(best, running)).to_series())
        needed[name] = int(below[-1]) + 1 if len(below) else 0
    return needed


def of_hosts(files: Sequence[counts_file.CountsFile], folder: Path) -> Iterator[pl.DataFrame]:
    """Adds up the hosts of all batches, in pieces: there may be more than the memory holds."""
    return merged((file.run(Domains.name, Domains.numbers) for file in files), folder)


def of_parts(parts: Sequence[counts_file.CountsFile], name: str) -> Iterator[pl.DataFrame]:
    """Yields what the parts have of a table, in pieces, with ascending keys."""
    for part in parts:
        run = part.run(name, _left(name))
        place = 0
        while place < run.height:
            piece = run.read(place)
            place += piece.height
            yield piece


def small_tables(path: Path, numbers: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yields the tables with few keys of a batch, as `CountsFile.small` does, without looking at the others.

    Args:
        path: the file of counts.
        numbers: table -> names of its numbers.
    """
    for name, rows in _rows(path, pl.any_horizontal(pl.col("table") == pl.lit(name) for name in numbers)):
        yield name, _named(rows, numbers[name])


def make_part(corpus_dir: Path, part: int, parts: int, output: Path, memory: int) -> None:
    """Adds up a range of the keys of each table of all batches.

    Args:
        corpus_dir: the corpus's folder.
        part: the number of the range, from 0.
        parts: number of ranges.
        output: the file to write, in the format of counts.
        memory: bytes that the process may use.

    Raises:
        StageFileError: a file of counts is missing or damaged, or of another version.
    """
    paths = CorpusFolder.open(corpus_dir).paths("counts")
    bytes_in_memory = max(HELD_BYTES, memory // _SHARE_OF_MEMORY)
    is_of = pl.col("table") == pl.lit(RUNNING_WORDS)
    for name, cuts in _cuts(paths, parts).items():
        in_range = pl.col("table") == pl.lit(name)
        if part > 0:
            in_range &= pl.col("key") >= pl.lit(cuts[part - 1])
        if part < parts - 1:
            in_range &= pl.col("key") < pl.lit(cuts[part])
        is_of |= in_range
    counted = {kind.name: kind.numbers for kind in registry.counted(many_keys=True)}
    running = dict.fromkeys(Keywords.numbers, 0)
    output.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        sums = {name: stack.enter_context(KeySums(output.parent, bytes_in_memory)) for name in counted}
        for path in track(paths, "statistics tables-part: batches"):
            for name, rows in _rows(path, is_of):
                if name == RUNNING_WORDS:
                    for column, number in zip(running, rows.row(0)[1:], strict=False):
                        running[column] += number
                elif name in sums:
                    sums[name].add(_named(rows, counted[name]))

        def sections() -> Iterator[tuple[str, Sequence[str], Iterable[pl.DataFrame]]]:
            for name, total in sums.items():
                pieces = total.sums()
                yield name, _left(name), pieces if name == Domains.name else [_reduced(name, pieces, running)]

        counts_file.write(output, sections())


def _left(name: str) -> Sequence[str]:
    """Returns the numbers that are left of a table when its keys are reduced."""
    kind = registry.table(name)
    return kind.sums_of_keys or kind.numbers


def _named(rows: pl.DataFrame, numbers: Sequence[str]) -> pl.DataFrame:
    """Names the numbers of a table, which are the first ones of the file."""
    return rows.select(
        "key", *(pl.col(stored).alias(name) for stored, name in zip(rows.columns[1:], numbers, strict=False))
    )


def _rows(path: Path, where: pl.Expr) -> Iterator[tuple[str, pl.DataFrame]]:
    """Reads some rows of a file of counts; yields them by table."""
    version = pl.col("table") == pl.lit(counts_file.VERSION)
    with reading(path):
        rows = pl.scan_parquet(path, glob=False).filter(version | where).collect()
    by_table = {str(name): part.drop("table") for (name,), part in rows.group_by("table", maintain_order=True)}
    if by_table.pop(counts_file.VERSION, pl.DataFrame()).height != 1:
        raise StageFileError(
            f"{path}: not a file of counts of this version; run `corpusprep step statistics count` again"
        )
    yield from by_table.items()


def _cuts(paths: Sequence[Path], parts: int) -> dict[str, list[str]]:
    """Returns, for each table, the keys that divide its rows into parts of similar size.

    They depend only on the files: each process finds the same ones.
    """
    step = max(1, len(paths) // SAMPLED_BATCHES)
    sampled = [counts_file.CountsFile.open(path) for path in paths[::step]]
    cuts = {}
    for name in (kind.name for kind in registry.counted(many_keys=True)):
        rows = sum(file.places.get(name, (0, 0))[1] for file in sampled)
        every = max(1, rows // (256 * parts))
        keys: list[str] = []
        for file in sampled:
            start, height = file.places.get(name, (0, 0))
            for first in range(0, height, _SAMPLED_ROWS):
                piece = read_rows(file.path, ["key"], start + first, min(_SAMPLED_ROWS, height - first))
                keys += piece["key"].gather_every(every).to_list()
        # Python compares code points, which gives the order of the UTF-8 bytes.
        keys.sort()
        cuts[name] = [keys[len(keys) * part // parts] if keys else "" for part in range(1, parts)]
    return cuts


def _reduced(name: str, sums: Iterable[pl.DataFrame], running: Mapping[str, int]) -> pl.DataFrame:
    """Returns what a table can need of sums, with ascending keys."""
    kind = registry.table(name)
    if kind.sums_of_keys:
        totals = [0] * len(kind.sums_of_keys)
        for piece in sums:
            totals = [total + number for total, number in zip(totals, kind.added_up(piece), strict=True)]
        return pl.DataFrame({"key": "", **dict(zip(kind.sums_of_keys, totals, strict=True))})
    best = pl.DataFrame(schema={"key": pl.String, **dict.fromkeys(kind.numbers, pl.Int64)})
    for piece in _gathered(sums):
        rows = pl.concat([best, piece.select(best.columns).filter(_possible(best, running))])
        chosen = pl.concat([table.best_words(rows, running) for table in registry.made_from(Source.WORDS)])
        best = rows.filter(pl.col("key").is_in(chosen.implode()))
    return best.sort("key")


def _possible(best: pl.DataFrame, running: Mapping[str, int]) -> pl.Expr:
    """Returns a condition that all words meet that can be in a table beside `best`: any count reaches a limit."""
    return pl.any_horizontal(table.frequent_enough(best, running) for table in registry.made_from(Source.WORDS))


def _gathered(pieces: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Joins pieces until they have _REDUCED_ROWS rows: looking at few rows takes as long as looking at many."""
    frames: list[pl.DataFrame] = []
    for piece in pieces:
        frames.append(piece)
        if sum(frame.height for frame in frames) >= _REDUCED_ROWS:
            yield pl.concat(frames)
            frames = []
    if frames:
        yield pl.concat(frames)
