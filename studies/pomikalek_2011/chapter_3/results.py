"""Everything that the experiments on a corpus measured, each file read when a table needs it."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from corpusprep.dedup.all_ngrams import DuplicateCounts
from corpusprep.dedup.ngram_keys import NgramKeys
from corpusprep.errors import StageFileError
from corpusprep.io import tsv
from corpusprep.io.times import read_times
from studies.pomikalek_2011.chapter_3 import leftovers, measured, scaling
from studies.pomikalek_2011.chapter_3.grid import NGRAMS, Left
from studies.pomikalek_2011.chapter_3.judgements import BEST_COLUMNS
from studies.pomikalek_2011.chapter_3.lengths import Recurring
from studies.pomikalek_2011.chapter_3.rare_words import Occurring
from studies.pomikalek_2011.chapter_3.resembling import Above, Remaining
from studies.pomikalek_2011.chapter_3.set_memory import Stored
from studies.pomikalek_2011.chapter_3.spex import SpexCounts

Row = dict[str, str]
#: Bool -> how files name it.
YES_NO = {True: "yes", False: "no"}


class Results:
    """All measurements on a corpus. A missing or damaged file is a StageFileError when a table needs it."""

    def __init__(self, corpus_dir: Path, common: Path, judgements: Path | None = None, name: str = "") -> None:
        """The measurements on a corpus.

        Args:
            corpus_dir: the folder of the corpus's stage files.
            common: the folder of measurements that are common to all corpora.
            judgements: judgements_best.tsv; None without such data.
            name: the corpus's name.
        """
        self.name = name
        self._corpus, self._common, self._judged = corpus_dir, common, judgements
        self._measured = corpus_dir / "experiments" / "measured"

    @cached_property
    def spex(self) -> list[SpexCounts]:
        """The iterations of SPEX."""
        return measured.read(self._measured / "spex.tsv", SpexCounts)

    @cached_property
    def lengths(self) -> list[Recurring]:
        """N-grams that recur."""
        return measured.read(self._measured / "lengths.tsv", Recurring)

    @cached_property
    def words(self) -> list[Occurring]:
        """How often the words of table 1.1 occur."""
        return measured.read(self._measured / "words.tsv", Occurring)

    @cached_property
    def grid(self) -> list[Left]:
        """What each run of block de-duplication leaves."""
        paths = (self._measured / "grid" / f"{YES_NO[stop]}-{YES_NO[marks]}-{n}.tsv" for n, stop, marks in NGRAMS)
        return [row for path in paths for row in measured.read(path, Left)]

    @cached_property
    def resemblance(self) -> list[Above]:
        """Pairs above each resemblance, before and after."""
        return measured.read(self._measured / "resemblance.tsv", Above)

    @cached_property
    def clusters(self) -> Remaining:
        """What is left without near-identical documents."""
        path = self._measured / "clusters.tsv"
        rows = measured.read(path, Remaining)
        if len(rows) != 1:
            raise StageFileError(f"{path}: not of this experiment; run it again")
        return rows[0]

    @cached_property
    def comparators(self) -> list[Row]:
        """What each comparator leaves."""
        return tsv.read(self._measured / "comparators.tsv", leftovers.COLUMNS)

    @cached_property
    def memory(self) -> list[Stored]:
        """Bytes per stored n-gram."""
        return measured.read(self._common / "set_memory.tsv", Stored)

    @cached_property
    def judgements(self) -> list[Row]:
        """Comparators against human judgements; empty without such data."""
        return tsv.read(self._judged, BEST_COLUMNS) if self._judged else []

    def acceptance(self, figure: str) -> list[Row]:
        """Returns the points of a figure of acceptance curves: `3.1`, `3.2`, `3.3`."""
        return tsv.read(self._common / f"figure_{figure.replace('.', '_')}.tsv")

    @property
    def scaling(self) -> list[scaling.Measured]:
        """Duplicate 10-grams of made corpora of several sizes."""
        return scaling.read()

    @cached_property
    def _before(self) -> DuplicateCounts:
        return DuplicateCounts.read(self._corpus / "ngrams" / "before" / "duplicates.tsv")

    @property
    def tokens(self) -> int:
        """Tokens before block de-duplication."""
        return self._before.tokens

    @property
    def before(self) -> int:
        """Instances of duplicate 10-grams of all tokens, before block de-duplication."""
        return self._before.instances

    @cached_property
    def ngrams(self) -> NgramKeys:
        """The duplicate n-grams that the corpus is de-duplicated with."""
        return NgramKeys.open(self._corpus / "ngrams" / "counted" / "duplicates.keys")

    @property
    def seconds(self) -> float:
        """CPU seconds of the stage `ngrams`."""
        return read_times(self._corpus / "times" / "ngrams").cpu_seconds

    def pairs(self, text: str, threshold: float) -> int:
        """Returns the pairs above a resemblance, before or after de-duplication."""
        return next(row.pairs for row in self.resemblance if row.text == text and row.threshold == threshold)

    def highest(self, text: str) -> float:
        """Returns the highest resemblance of two documents."""
        return next((row.highest for row in self.resemblance if row.text == text), 0.0)

    def at(self, threshold: float) -> Iterator[Left]:
        """Yields the runs at a threshold, in the order of the table."""
        return (row for row in self.grid if row.threshold == threshold)


def of_folder(results: Path) -> dict[str, Results]:
    """Returns corpus -> the measurements on it below the folder of results; the largest corpus first."""
    common = results / "experiments"
    judged = common / "judgements_best.tsv"
    corpora = []
    for depth in ("*", "*/*"):  # of a corpus, and of a language of a crawl
        for path in sorted(results.glob(f"{depth}/experiments/measured")):
            name = path.parents[1].relative_to(results).as_posix()
            corpora.append(Results(path.parents[1], common, judged if judged.exists() else None, name))
    return {corpus.name: corpus for corpus in sorted(corpora, key=_size, reverse=True)}


def _size(corpus: Results) -> int:
    """Returns the tokens of a corpus; 0 if they were not counted."""
    try:
        return corpus.tokens
    except StageFileError:
        return 0
