"""Counts the words of a batch by what became of their blocks, in bounded memory."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import polars as pl

from corpusprep._native.string_counts import StringCounts, WordRuns, merge_word_runs
from corpusprep.io.files import scratch
from corpusprep.io.merge_rounds import in_rounds, remove_scratch
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.keywords import (
    FATES,
    LONGEST_WORD,
    add_odd_words,
    counted_texts,
    fate_number,
    frame_of_words,
)

#: Number of runs that are merged at once.
FAN_IN = 64
#: Words of a piece of the sums.
WORDS_PER_PIECE = 1 << 16


class WordCounts:
    """The words of a batch. What exceeds the memory is in temporary files, which are removed at the end.

    What a word is, keywords.Keywords says.
    """

    def __init__(self, folder: Path, bytes_in_memory: int, fan_in: int = FAN_IN) -> None:
        """Starts without words.

        Args:
            folder: an existing folder for temporary files.
            bytes_in_memory: bytes of counts in memory; they may take twice as many.
            fan_in: the most runs that are merged at once.
        """
        self._parent, self._fan_in = folder, fan_in
        self._scratch = ExitStack()
        self._strings = StringCounts(bytes_in_memory, LONGEST_WORD, len(FATES))
        self._runs: list[Path] = []

    def __enter__(self) -> "WordCounts":
        self._folder = self._scratch.enter_context(scratch(self._parent / "words"))
        return self

    def __exit__(self, *error: object) -> None:
        self._scratch.close()

    def add(self, part: JoinedVerdicts, forgotten: pl.DataFrame) -> None:
        """Counts the words of a part of the batch; tables show them, so words of forgotten pages (`record`) are out."""
        known = part.blocks.join(forgotten, on="record", how="anti")
        fates = known.select(fate=fate_number(), text="text")
        for _ in counted_texts(self._strings, fates["text"], fates["fate"]):
            self._spill()

    def sums(self) -> Iterator[pl.DataFrame]:
        """Yields all words in pieces, in ascending order, each once, with Keywords.numbers; call it last."""
        if not self._runs:
            add_odd_words(self._strings, FATES)
            while (words := frame_of_words(self._strings.take(WORDS_PER_PIECE), FATES)).height:
                yield _with_total(words)
            return
        self._spill()

        def merge(group: list[Path], number: int) -> Path:
            merged = self._folder / f"merged-{number}.words"
            merge_word_runs(group, len(FATES), merged)
            remove_scratch(self._folder, set(group))
            return merged

        left: list[Path] = in_rounds(self._runs, self._fan_in, merge)
        runs = WordRuns(left, len(FATES))
        while (words := frame_of_words(runs.read(WORDS_PER_PIECE), FATES)).height:
            yield _with_total(words)

    def _spill(self) -> None:
        add_odd_words(self._strings, FATES)
        self._runs.append(self._folder / f"{len(self._runs)}.words")
        self._strings.write_run(self._runs[-1])


def _with_total(words: pl.DataFrame) -> pl.DataFrame:
    return words.select("key", pl.sum_horizontal(FATES).alias("count_before"), *FATES)
