"""Counts the words that other thresholds would keep, of jusText or a learned model, from stored scores, with F1."""

from dataclasses import asdict, astuple, dataclass, fields, replace
from importlib import resources
from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.cleaners import fixed
from corpusprep.cleaners.content.cleaner import Content, ContentSettings, Scored
from corpusprep.cleaners.interface import ScoreThresholds
from corpusprep.cleaners.justext import PRESETS, Measures, Sweep, Thresholds
from corpusprep.errors import StageFileError
from corpusprep.io.tsv import Cell, percent
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.table import Column, Inputs, Table

#: What an algorithm says of its thresholds (Algorithm.stored_thresholds).
Used = Thresholds | ContentSettings | ScoreThresholds

#: The values of each parameter that are tried, besides the one in use.
GRID: dict[str, list[float]] = {
    "max_link_density": [round(0.1 * step, 1) for step in range(11)],
    "length_low": list(range(0, 41, 5)),
    "stopwords_low": [round(0.05 * step, 2) for step in range(11)],
    "length_high": list(range(0, 101, 10)),
    "stopwords_high": [round(0.05 * step, 2) for step in range(11)],
}

#: Scores that are tried as thresholds, per mille, besides the one in use.
SCORES = tuple(range(50, 1000, 50))

#: Preset, parameter, value -> F1 in percent.
GoldF1 = dict[tuple[str, str, str], str]


@dataclass(slots=True, frozen=True)
class Setting:
    """Thresholds, and the parameter that is varied with its value; or `preset` with its name."""

    parameter: str
    value: str
    thresholds: Thresholds


def settings(thresholds: Thresholds) -> list[Setting]:
    """Returns the presets, then each parameter over its values with the other parameters as given."""
    tried = [Setting("preset", name, preset) for name, preset in PRESETS.items()]
    for field in fields(Thresholds):
        values = sorted({*GRID[field.name], asdict(thresholds)[field.name]})
        tried += [Setting(field.name, f"{value:g}", replace(thresholds, **{field.name: value})) for value in values]
    return tried


def gold_f1() -> GoldF1:
    """Returns F1 of jusText on Canola's development set, with one parameter varied and the others as in a preset.

    It is measured on text nodes with annotation reliability above 0; `snakemake evaluation` makes the table again.
    """
    lines = resources.files("corpusprep.statistics").joinpath("gold_f1.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines[1:])
    return {(preset, parameter, value): f1 for preset, parameter, value, f1 in rows}


@dataclass(slots=True, frozen=True)
class _TriedValue:
    """A setting that is tried: what is varied, its value, whether it is in use, F1 on gold data, its key in counts."""

    parameter: str
    value: str
    used: bool
    f1: str
    key: str


class _Tried(Protocol):
    """Settings of an algorithm whose stored scores say what they would keep."""

    @property
    def rows(self) -> list[_TriedValue]:
        """The settings."""

    def words(self, blocks: pl.DataFrame, counted: NDArray[np.int64]) -> list[int]:
        """Returns the words of good blocks at each setting; `counted` are the words that count, of each block."""


class _JusTextTried:
    """Thresholds of jusText."""

    def __init__(self, preset: str, used: Thresholds) -> None:
        gold = gold_f1()
        self._settings = settings(used)
        self.rows = [
            _TriedValue(
                setting.parameter,
                setting.value,
                setting.thresholds == used,
                gold.get((preset, setting.parameter, setting.value), ""),
                "\t".join(map(str, astuple(setting.thresholds))),
            )
            for setting in self._settings
        ]
        self._sweep: Sweep | None = None

    def words(self, blocks: pl.DataFrame, counted: NDArray[np.int64]) -> list[int]:
        """Returns the words of good blocks at each setting; `counted` are the words that count, of each block."""
        measures = Measures.of_rows(blocks)
        if self._sweep is None:
            self._sweep = Sweep([setting.thresholds for setting in self._settings])
        return self._sweep.words_kept(measures, counted)


class _ContentTried:
    """Thresholds of a learned model; the kinds that are kept stay as they are."""

    def __init__(self, used: ContentSettings) -> None:
        algorithm = Content(used)
        named = algorithm.model.thresholds
        gold = algorithm.model.card.get("f1_by_threshold", {})
        tried = [("preset", name, value) for name, value in named.items()]
        tried += [("threshold", f"{value / 1000:g}", value) for value in sorted({*SCORES, algorithm.threshold})]
        self._algorithms = [Content(replace(used, threshold=value / 1000)) for _, _, value in tried]
        self.rows = [
            _TriedValue(
                parameter, text, value == algorithm.threshold, str(gold.get(f"{value / 1000:g}", "")), str(value)
            )
            for parameter, text, value in tried
        ]

    def words(self, blocks: pl.DataFrame, counted: NDArray[np.int64]) -> list[int]:
        """Returns the words of good blocks at each setting; `counted` are the words that count, of each block."""
        scored = Scored.of_rows(blocks)
        return [int(counted[algorithm.classify_scored(scored).good].sum()) for algorithm in self._algorithms]


class _ScoresTried:
    """Thresholds of an algorithm whose scores alone decide."""

    def __init__(self, used: ScoreThresholds) -> None:
        tried = [("preset", name, value) for name, value in used.named.items()]
        tried += [("threshold", f"{value / 1000:g}", value) for value in sorted({*SCORES, used.used})]
        self._values = [value for _, _, value in tried]
        self.rows = [
            _TriedValue(parameter, text, value == used.used, "", str(value)) for parameter, text, value in tried
        ]

    def words(self, blocks: pl.DataFrame, counted: NDArray[np.int64]) -> list[int]:
        """Returns the words of good blocks at each setting; `counted` are the words that count, of each block."""
        scores = blocks["score"].to_numpy()
        return [int(counted[scores >= value].sum()) for value in self._values]


def _tried(preset: str, used: Used | None) -> _Tried | None:
    if isinstance(used, ContentSettings):
        return _ContentTried(used)
    if isinstance(used, ScoreThresholds):
        return _ScoresTried(used)
    return None if used is None else _JusTextTried(preset, used)


class WordsKept(Table):
    """Words that other thresholds of jusText or of a model would keep, from the stored scores.

    Each threshold varies by itself; the others stay as the corpus has them. Empty for other algorithms. With
    `mixed: split`, the part of a page that is in the corpus is classified as a page of its own: words differ a
    little from the ledger's numbers.
    """

    name = "thresholds"
    columns = (
        Column("parameter", "the threshold, or `preset`"),
        Column("value", "its value"),
        Column("used", "1 for the value that the corpus has, else 0"),
        Column("words_kept", "words of the crawl that would be good"),
        Column("words_kept_percent", "the same, as a percentage of the crawl"),
        Column("gold_f1", "F1 on Canola's development set with this value, in percent"),
    )
    numbers = ("words",)

    def __init__(self, inputs: Inputs | None = None) -> None:
        """Takes the thresholds of the corpus."""
        super().__init__(inputs)
        self._tried = _tried(self.inputs.preset, self.inputs.thresholds)

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the words in a part of a batch; a key is a set of thresholds, or empty for all words."""
        counts: dict[str, int] = {}
        if self._tried is not None and part.blocks.height:
            shown = part.blocks.filter(fixed.is_shown(part.blocks))
            words = shown["words"].to_numpy().astype(np.int64)
            good, bad = fixed.always_good(shown), fixed.always_bad(shown)
            always = int(words[good].sum())
            decided = self._tried.words(shown, np.where(good | bad, 0, words))
            counts[_ALL] = int(part.blocks["words"].sum())
            counts |= {row.key: always + kept for row, kept in zip(self._tried.rows, decided, strict=True)}
        return pl.DataFrame(
            {"key": list(counts), "words": list(counts.values())}, {"key": pl.String, "words": pl.Int64}
        )

    def rows(self) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per setting; empty if no stored scores decide.

        Raises:
            StageFileError: the batches were counted with other thresholds.
        """
        words = self.totals.get(_ALL, (0,))[0]
        rows: list[tuple[Cell, ...]] = []
        for row in self._tried.rows if self._tried is not None else ():
            if words and row.key not in self.totals:
                raise StageFileError(
                    f"the words kept at {row.parameter} {row.value} were not counted: the batches were counted "
                    "with other thresholds; run `corpusprep step statistics count` again"
                )
            kept = self.totals.get(row.key, (0,))[0]
            rows.append((row.parameter, row.value, int(row.used), kept, percent(kept, words), row.f1))
        return rows


_ALL = ""
