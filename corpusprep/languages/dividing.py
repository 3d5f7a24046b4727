"""Divides a crawl's pages into the batches of each language: what is small shares a batch, what is large does not.

A batch of a language consists of its pages in successive batches of the crawl. It has up to `batch_bytes` of their
records as stored, or as much as the largest batch of the crawl. A language without a page has one empty batch, so that
it becomes an empty corpus.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path

from corpusprep.archive.batches import Batch, batch_name, cut
from corpusprep.errors import StageFileError
from corpusprep.io import tsv
from corpusprep.tables.crawl_files import division_file, found_file

COLUMNS = ("language", "batch", "part", "archive", "bytes")


def divide(
    crawl: Path, batches: Sequence[Batch], languages: Collection[str], batch_bytes: int, least_words: int = 0
) -> None:
    """Writes the table of the languages' batches (division.tsv): one row per language, batch, part and archive.

    Args:
        crawl: the folder of the crawl, with the tables `found` of its batches.
        batches: of the crawl, in order.
        languages: codes.
        batch_bytes: the most bytes of records per batch.
        least_words: a language with fewer words in good blocks has no batch.

    Raises:
        StageFileError: a table cannot be read.
    """
    import polars as pl  # a fifth of a second, which the job of each language does without

    from corpusprep.tables import schemas
    from corpusprep.tables.reading import read_table

    most = max(batch_bytes, *(sum(batch.sizes) for batch in batches))
    archives: dict[str, dict[str, list[tuple[str, int]]]] = defaultdict(dict)  # language -> part -> archives, bytes
    words: Counter[str] = Counter()
    for batch in batches:
        table = read_table(found_file(crawl, batch.name), schemas.FOUND, ["corpus", "archive", "length", "good_words"])
        for code, number in table.drop_nulls("corpus").group_by("corpus").agg(pl.col("good_words").sum()).iter_rows():
            words[code] += number
        sums = table.drop_nulls("corpus").group_by("corpus", "archive").agg(pl.col("length").sum())
        for code, archive, length in sums.sort("corpus", "archive").iter_rows():
            archives[code].setdefault(batch.name, []).append((archive, length))
    rows: list[tuple[tsv.Cell, ...]] = []
    for code in sorted(code for code in languages if words[code] >= least_words):
        parts = archives.get(code) or {batches[0].name: [(str(batches[0].archives[0]), 0)]}
        for name, members in _batches(code, parts, most):
            rows += [(code, name, part, *archive) for part in members for archive in parts[part]]
    tsv.write(division_file(crawl), COLUMNS, rows)


def _batches(code: str, parts: dict[str, list[tuple[str, int]]], most: int) -> list[tuple[str, list[str]]]:
    """Returns the name and the parts of each batch of a language."""
    names = list(parts)
    ends = [0, *itertools.accumulate(sum(size for _, size in parts[name]) for name in names)]
    runs = cut(names, lambda first, end: ends[end] - ends[first] <= most)
    return [(batch_name([code, *names[first:end]]), names[first:end]) for first, end in runs]


def read_division(crawl: Path) -> dict[str, tuple[list[Batch], dict[str, list[str]]]]:
    """Reads the table that `divide` wrote.

    Returns:
        By language: its batches, and the parts of each by its name.

    Raises:
        StageFileError: it is missing or damaged.
    """
    path = division_file(crawl)
    archives: dict[str, dict[str, list[tuple[Path, int]]]] = {}
    parts: dict[str, dict[str, list[str]]] = {}
    try:
        for row in tsv.read(path, COLUMNS):
            archives.setdefault(row["language"], {}).setdefault(row["batch"], []).append(
                (Path(row["archive"]), int(row["bytes"]))
            )
            of_batch = parts.setdefault(row["language"], {}).setdefault(row["batch"], [])
            if row["part"] not in of_batch:
                of_batch.append(row["part"])
    except ValueError as error:
        raise StageFileError(f"{path}: not a table of the languages' batches ({error}); remove it") from None
    return {
        code: ([Batch(name, *map(tuple, zip(*group, strict=True))) for name, group in batches.items()], parts[code])
        for code, batches in archives.items()
    }
