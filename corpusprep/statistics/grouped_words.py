"""Counts the words of pages by groups of pages, in bounded memory."""

import polars as pl

from corpusprep._native.string_counts import StringCounts
from corpusprep.statistics.keywords import LONGEST_WORD, counted_texts, frame_of_words, words_of_odd

#: Bytes of the words of a group that are counted at once: it has few.
_HELD = 1 << 20
_NONE = pl.DataFrame(schema={"key": pl.String, "count": pl.Int64, "group": pl.String})


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
        of_groups = blocks.join(groups, on="record").select("group", "text")
        for (group,), texts in of_groups.partition_by("group", as_dict=True, include_key=False).items():
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
        for frames, counted in zip(self._taken, (words, odd), strict=True):
            frames.append(frame_of_words(counted, ("count",)).with_columns(group=pl.lit(group)))
