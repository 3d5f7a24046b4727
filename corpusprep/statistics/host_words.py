"""Lists the words that are typical of what was removed from each of the hosts that lost most, against the corpus."""

from collections.abc import Iterator, Sequence

import polars as pl

from corpusprep._native.string_counts import StringCounts
from corpusprep.io.tsv import Cell
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.keywords import (
    LONGEST_WORD,
    counted_texts,
    frame_of_words,
    is_removed,
    words_of_odd,
)
from corpusprep.statistics.removed_words import COMPARED, scored

#: Hosts, and words of each.
HOSTS, WORDS = 20, 20
#: Bytes of the words of a group that are counted at once: it has few.
_HELD = 1 << 20
_NONE = pl.DataFrame(schema={"key": pl.String, "count": pl.Int64, "group": pl.String})


class HostWords:
    """The words that are most typical of what was removed from hosts: from PAGES_OF_HOST pages of each at most."""

    name = "host_words"
    columns = ("host", *COMPARED)

    def __init__(self, hosts: Sequence[str]) -> None:
        """Starts without words of the hosts, which are in the order of the table."""
        self._hosts = hosts
        self._words = GroupedWords()

    def add(self, part: JoinedVerdicts, chosen: pl.DataFrame) -> None:
        """Adds the removed words of pages.

        Args:
            part: the pages.
            chosen: the columns record and host of the pages that count.
        """
        self._words.add(part.blocks.filter(is_removed()), chosen.select("record", group="host"))

    def rows(self, kept: pl.DataFrame, running_kept: int) -> Iterator[tuple[Cell, ...]]:
        """Yields the table: up to WORDS words per host, the most typical first.

        Args:
            kept: words of the corpus that the hosts are compared with: key and count_after.
            running_kept: number of running words of the corpus.
        """
        if not running_kept:
            return
        every = self._words.all().rename({"count": "removed"}).join(kept, on="key", how="left")
        every = every.with_columns(pl.col("count_after").fill_null(0))
        for host in self._hosts:
            words = every.filter(pl.col("group") == host)
            running = int(words["removed"].sum())
            if not running:
                continue
            best = scored(words, "removed", running, running_kept).sort("low", "word", descending=[True, False])
            for word, removed, there, ratio, low, high in best.head(WORDS).iter_rows():
                millions = (f"{1e6 * removed / running:.1f}", f"{1e6 * there / running_kept:.1f}")
                yield (host, word, removed, there, *millions, *(f"{value:.3f}" for value in (ratio, low, high)))


class GroupedWords:
    """The words of pages, counted by groups of pages."""

    def __init__(self) -> None:
        """Starts without words."""
        self._strings: dict[str, StringCounts] = {}
        #: What did not fit: words, and odd strings.
        self._taken: tuple[list[pl.DataFrame], list[pl.DataFrame]] = [], []

    def add(self, blocks: pl.DataFrame, groups: pl.DataFrame) -> None:
        """Adds blocks of pages.

        Args:
            blocks: their columns record and text.
            groups: the columns record and group (a string) of the pages that count.
        """
        found = blocks.join(groups, on="record").select("group", "text")
        for (group,), texts in found.partition_by("group", as_dict=True, include_key=False).items():
            strings = self._strings.setdefault(str(group), StringCounts(_HELD, LONGEST_WORD, 1))
            for _ in counted_texts(strings, texts["text"], pl.repeat(0, texts.height, dtype=pl.UInt8, eager=True)):
                self._take(str(group), strings)

    def all(self) -> pl.DataFrame:
        """Returns the columns key, count and group, each pair of a key and a group once; call it last."""
        for group, strings in self._strings.items():
            self._take(group, strings)
        words, odd = (pl.concat([_NONE, *frames]) for frames in self._taken)
        self._strings, self._taken = {}, ([], [])
        return (
            pl.concat([words, words_of_odd(odd, ("key", "group"))]).group_by("key", "group").agg(pl.col("count").sum())
        )

    def _take(self, group: str, strings: StringCounts) -> None:
        odd, words = strings.take_odd(), strings.take()
        for frames, taken in zip(self._taken, (words, odd), strict=True):
            frames.append(frame_of_words(taken, ("count",)).with_columns(group=pl.lit(group)))
