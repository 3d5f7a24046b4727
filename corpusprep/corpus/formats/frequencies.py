"""Writes the frequency list of a corpus, with document frequency and dispersion (Gries 2008: DP)."""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpusprep.corpus.formats.interface import CorpusFormat, FinishedCorpus
from corpusprep.io.files import replacing, scratch
from corpusprep.io.progress import track
from corpusprep.text.vertical import read_documents, unescape

if TYPE_CHECKING:
    import polars as pl

    from corpusprep.tables.key_sums import KeySums

COLUMNS = ("word", "frequency", "per_million", "documents", "dispersion")
#: Parts of the corpus for the dispersion. All documents of a host are in one part: what only one site has is clumped.
#: A document without a host (a local file) is in a part by itself: by its address, or its identifier.
PARTS = 100
#: Rows of words and parts that are in memory before they are added up.
ROWS_AT_ONCE = 500_000
#: Frequencies below this are sorted by files, one per frequency. Nine tenths of all words are below 20.
RARE = 20


def write(corpus: FinishedCorpus, paths: Sequence[Path]) -> None:
    """Writes the list: the most frequent word first, words of one frequency in the order of their code points."""
    from corpusprep.tables.key_sums import KeySums  # with polars, which reading a config does without

    with scratch(paths[0]) as folder, KeySums(folder) as sums:
        sizes = _count(corpus.verticals, sums)
        rows = _by_frequency(_words(sums.sums(), sizes), folder)
        with replacing(paths[0]) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines("\t".join(map(str, row)) + "\n" for row in chain([COLUMNS], rows))


def _count(verticals: Sequence[Path], sums: "KeySums") -> list[int]:
    """Adds the frequency and the documents of each word in each part; returns the tokens of the parts."""
    sizes = [0] * PARTS
    rows: list[tuple[str, int, int]] = []
    documents = (document for path in verticals for document in read_documents(path))
    for document in track(documents, "frequencies: documents"):
        names = document.attributes
        unit = names.get("host") or names.get("url") or names.get("id", "")
        part = zlib.crc32(unit.encode()) % PARTS
        lines = (line for block in document.blocks for line in block.split(b"\n") if line and line[:1] != b"<")
        counts = Counter(line.partition(b"\t")[0] for line in lines)
        sizes[part] += counts.total()
        rows += [(f"{unescape(word.decode())}\t{part:02}", count, 1) for word, count in counts.items()]
        if len(rows) >= ROWS_AT_ONCE:
            sums.add(_frame(rows))
            rows = []
    if rows:
        sums.add(_frame(rows))
    return sizes


def _frame(rows: list[tuple[str, int, int]]) -> "pl.DataFrame":
    import polars as pl

    schema = {"key": pl.String, "frequency": pl.Int64, "documents": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row").group_by("key").sum()


def _words(pieces: "Iterable[pl.DataFrame]", sizes: Sequence[int]) -> Iterator[tuple[str, int, str, int, str]]:
    """Yields the rows of the list, by word. The parts of a word follow each other, and may be in two pieces."""
    total = sum(sizes)
    rows = (row for piece in pieces for row in piece.select("key", "frequency", "documents").iter_rows())
    for word, parts in groupby(rows, lambda row: row[0][:-3]):
        in_parts = [(int(key[-2:]), count, documents) for key, count, documents in parts]
        frequency = sum(count for _, count, _ in in_parts)
        documents = sum(number for _, _, number in in_parts)
        yield word, frequency, f"{1e6 * frequency / total:.2f}", documents, f"{dispersion(in_parts, sizes):.4f}"


def dispersion(found: Sequence[tuple[int, int, int]], sizes: Sequence[int]) -> float:
    """Returns the deviation of proportions: 0 if a word is spread as the text is, near 1 if it is in a small part.

    Args:
        found: the parts that have the word: number of the part, frequency, documents.
        sizes: tokens of each part.
    """
    total, frequency = sum(sizes), sum(count for _, count, _ in found)
    shares = [(sizes[part] / total, count / frequency) for part, count, _ in found]
    absent = 1 - sum(expected for expected, _ in shares)
    return (sum(abs(observed - expected) for expected, observed in shares) + max(absent, 0.0)) / 2


def _by_frequency(words: Iterable[tuple[Any, ...]], folder: Path) -> Iterator[tuple[Any, ...]]:
    """Yields rows by descending frequency; memory does not grow with the rare words, which are most."""
    frequent: list[tuple[Any, ...]] = []
    paths = [folder / f"{number}.tsv" for number in range(RARE)]
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("w+", encoding="utf-8", newline="\n")) for path in paths]
        for row in words:
            if row[1] < RARE:
                files[row[1]].write("\t".join(map(str, row)) + "\n")
            else:
                frequent.append(row)
        frequent.sort(key=lambda row: (-row[1], row[0]))
        yield from frequent
        for file in reversed(files):
            file.seek(0)
            for line in file:
                yield tuple(line.rstrip("\n").split("\t"))


FORMAT = CorpusFormat(
    "frequencies",
    ("frequencies.tsv",),
    "The frequency list: words with frequency, documents and dispersion (DP), the most frequent first.",
    write,
)
