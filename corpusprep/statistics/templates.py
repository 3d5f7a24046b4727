"""Finds templates in removed text: menus, notices, forms and other sequences of words that recur in many blocks.

All n-grams of the removed blocks of the chosen pages are counted. Successive n-grams that are in about equally many
blocks belong to one template: so a notice of twenty words is one row, not sixteen.
"""

from array import array
from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.io.readable import printable
from corpusprep.io.tsv import Cell
from corpusprep.pipeline import DECIDING
from corpusprep.statistics.joined_verdicts import JoinedVerdicts, removed_by
from corpusprep.statistics.table import Column, Inputs, Source, Table

#: Words of an n-gram; a shorter block counts as a whole.
N = 5
#: Successive n-grams belong to one template if the numbers of their blocks differ by no more than one in so many.
ALIKE = 10
#: The most characters of a template that are shown: text without spaces is one word.
CHARACTERS = 200
#: Rows of the table per stage.
ROWS = 50
#: Of the chosen pages, the first so many count, with up to so many characters of removed text of a page and of a block.
#: So memory does not depend on the size of the crawl. At 60 bytes per word it is 150 MB for 600 removed words per page,
#: and 400 MB if all pages have MOST_OF_PAGE, in words of five letters.
PAGES, MOST_OF_PAGE, MOST_OF_BLOCK = 4_000, 10_000, 1_000
#: White space, as `str.split` has it.
_WHITE = r"[\s\x1c-\x1f]+"


class Templates(Table):
    """Sequences of words that recur in removed blocks, at any place: menus, notices, forms.

    All n-grams of five words are counted, and a shorter block as a whole. Successive n-grams that are in about
    equally many blocks (within a tenth) are one row. Up to 50 per stage that are in two blocks or more. Of
    crawls with more than 4,000 pages, 4,000 are read, up to 10,000 characters of removed text of each page and
    1,000 of each block.
    """

    name = "templates"
    columns = (
        Column("stage", "the stage that removed the blocks", shown=False),
        Column("template", "the words, up to 200 characters", form=lambda words: printable(words, 120), foreign=True),
        Column("blocks", "removed blocks that have them"),
        Column("hosts", "hosts of these blocks"),
        Column("words", "words of all its occurrences"),
    )
    without_rows = "No sequence of words recurs in these blocks."
    most_rows = 15
    sources = (Source.PAGES,)

    def __init__(self, inputs: Inputs | None = None) -> None:
        """Starts without blocks."""
        super().__init__(inputs)
        self._numbers = pl.DataFrame(schema={"words": pl.String, "number": pl.UInt32})
        self._hosts: dict[str, int] = {}
        #: The numbers of all words, and of each block: words, number of the stage, number of the host.
        self._words, self._blocks = array("I"), array("I")

    def add_pages(self, part: JoinedVerdicts, pages: pl.DataFrame) -> None:
        """Adds the removed blocks of the first PAGES pages."""
        chosen = pages.filter(pl.col("place") < PAGES).select("record", "host")
        text = pl.col("text").str.slice(0, MOST_OF_BLOCK)
        blocks = part.blocks.select("record", text, stage=removed_by().to_physical()).drop_nulls("stage")
        read = pl.col("text").str.len_chars().cast(pl.Int64).cum_sum().over("record")
        blocks = blocks.join(chosen, on="record", maintain_order="left").filter(read <= MOST_OF_PAGE)
        texts = pl.col("text").str.replace_all(_WHITE, " ").str.strip_chars(" ")
        blocks = blocks.select("stage", "host", words=texts).filter(pl.col("words") != "")
        blocks = blocks.with_columns(pl.col("words").str.split(" "))
        sizes = blocks["words"].list.len()
        for host in blocks["host"].unique(maintain_order=True):
            self._hosts.setdefault(host, len(self._hosts))
        hosts = blocks["host"].replace_strict(self._hosts, return_dtype=pl.UInt32)
        about = np.column_stack([numbers.to_numpy() for numbers in (sizes, blocks["stage"], hosts)])
        self._blocks.frombytes(about.astype(np.uint32).tobytes())
        words = blocks.select(pl.col("words").explode())
        new = words.unique(maintain_order=True).join(self._numbers, on="words", how="anti", maintain_order="left")
        first = self._numbers.height
        new = new.with_columns(number=pl.int_range(first, first + new.height, dtype=pl.UInt32, eager=True))
        self._numbers = pl.concat([self._numbers, new])
        numbers = words.join(self._numbers, on="words", how="left", maintain_order="left")["number"]
        self._words.frombytes(numbers.to_numpy().tobytes())

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yields the table: up to ROWS templates per stage that are in two blocks or more, the most frequent first."""
        if not self._words:
            return
        words = np.frombuffer(self._words, dtype=np.uint32)
        sizes, stages, hosts = np.frombuffer(self._blocks, dtype=np.uint32).reshape(-1, 3).T.astype(np.int64)
        texts = self._numbers["words"].to_list()
        sequences = _sequences(words, sizes, stages)
        about = sequences.with_columns(
            stage=pl.Series(stages).gather(sequences["block"]), host=pl.Series(hosts).gather(sequences["block"])
        )
        counted = (
            about.group_by("stage", "sequence")
            .agg(blocks=pl.col("block").n_unique(), hosts=pl.col("host").n_unique())
            .filter(pl.col("blocks") > 1)
            .with_columns(words=pl.col("blocks") * pl.col("sequence").bin.size() // words.itemsize)
        )
        for number, stage in enumerate(DECIDING):
            best = counted.filter(stage=number).sort("blocks", "words", descending=True)
            # Enough for ROWS also where ties are decided by the text, which only the listed rows have.
            tied = best.filter(pl.col("blocks") >= best["blocks"][min(ROWS, best.height) - 1]) if best.height else best
            rows = [
                (stage, " ".join(texts[word] for word in np.frombuffer(sequence, np.uint32))[:CHARACTERS], *numbers)
                for sequence, *numbers in tied.select("sequence", "blocks", "hosts", "words").iter_rows()
            ]
            yield from sorted(rows, key=lambda row: (-row[2], -row[4], row[1]))[:ROWS]


def _sequences(words: NDArray[np.uint32], sizes: NDArray[np.int64], stages: NDArray[np.int64]) -> pl.DataFrame:
    """Returns where templates may be: number of the block, and the words as bytes of their numbers.

    Args:
        words: the numbers of the words of all blocks, one after another.
        sizes: words of each block.
        stages: the stage that removed each block: n-grams of two stages are counted apart.
    """
    block = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    ends = np.cumsum(sizes)
    whole = (sizes < N)[block]
    begun = np.arange(len(words), dtype=np.int32) <= (ends - N).astype(np.int32)[block]  # N words of the block follow
    places = np.flatnonzero(begun & ~whole).astype(np.int32)
    counts = np.zeros(len(words), dtype=np.int32)
    if len(places):
        counts[places] = _blocks_of(_ngrams(words, places, stages[block[places]]), block[places])
    before, here = counts[:-1], counts[1:]
    joined = np.zeros(len(words), dtype=bool)
    joined[1:] = (block[1:] == block[:-1]) & (before > 0) & (here > 0)
    joined[1:] &= ALIKE * np.abs(before - here) <= np.minimum(before, here)
    recurs = counts > 1
    starts = np.flatnonzero(recurs & ~joined)
    after = np.append(joined[1:], False)
    stops = np.flatnonzero(recurs & ~after) + N
    short = np.flatnonzero(whole & np.append(True, block[1:] != block[:-1]))
    begins, stops = np.append(starts, short), np.append(stops, ends[block[short]])
    return pl.DataFrame(
        {
            "block": block[begins],
            "sequence": [words[begin:stop].tobytes() for begin, stop in zip(begins, stops, strict=True)],
        },
        schema={"block": pl.Int64, "sequence": pl.Binary},
    )


def _ngrams(words: NDArray[np.uint32], places: NDArray[np.int32], stages: NDArray[np.int64]) -> NDArray[np.int32]:
    """Returns a number per place: the same one for the same n-gram of the same stage."""
    different = int(words.max()) + 1
    keys, most = stages.astype(np.uint64), len(DECIDING)
    for offset in range(N):
        if most * different >= 1 << 64:  # the numbers so far become smaller ones, which takes a sort
            keys, most = _ranks(keys).astype(np.uint64), len(places)
        keys *= np.uint64(different)
        keys += words[places + offset]
        most *= different
    return _ranks(keys)


def _ranks(numbers: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Returns the place of each number among the different ones."""
    order = np.argsort(numbers)
    numbers = numbers[order]
    ranks = np.empty(len(numbers), dtype=np.int32)
    ranks[order] = np.cumsum(np.append(False, numbers[1:] != numbers[:-1]), dtype=np.int32)
    return ranks


def _blocks_of(ngrams: NDArray[np.int32], blocks: NDArray[np.int32]) -> NDArray[np.int32]:
    """Returns for each n-gram the number of blocks that have it."""
    pairs = _pairs(ngrams, blocks)
    pairs.sort()
    first = np.append(True, pairs[1:] != pairs[:-1])
    pairs >>= np.uint64(32)
    counts = np.bincount(pairs[first].astype(np.int32), minlength=int(ngrams.max()) + 1)
    return counts.astype(np.int32)[ngrams]


def _pairs(high: NDArray[np.int32], low: NDArray[np.uint32] | NDArray[np.int32]) -> NDArray[np.uint64]:
    """Returns two numbers as one, which sorts faster; neither is negative."""
    pairs = high.astype(np.uint64)
    pairs <<= np.uint64(32)
    pairs |= low.astype(np.uint32)
    return pairs
