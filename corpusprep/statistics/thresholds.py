"""Counts the words that other thresholds of jusText would keep, from stored scores, with F1 on gold data."""

from dataclasses import asdict, astuple, dataclass, fields, replace
from importlib import resources

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.io.tsv import Cell, percent
from corpusprep.pages.algorithms.justext import PRESETS, Measures, Sweep, Thresholds
from corpusprep.statistics.joined_verdicts import JoinedVerdicts
from corpusprep.statistics.totals import Totals

#: The values of each parameter that are tried, besides the one in use.
GRID: dict[str, list[float]] = {
    "max_link_density": [round(0.1 * step, 1) for step in range(11)],
    "length_low": list(range(0, 41, 5)),
    "stopwords_low": [round(0.05 * step, 2) for step in range(11)],
    "length_high": list(range(0, 101, 10)),
    "stopwords_high": [round(0.05 * step, 2) for step in range(11)],
}

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
    found = [Setting("preset", name, preset) for name, preset in PRESETS.items()]
    for field in fields(Thresholds):
        values = sorted({*GRID[field.name], asdict(thresholds)[field.name]})
        found += [Setting(field.name, f"{value:g}", replace(thresholds, **{field.name: value})) for value in values]
    return found


def gold_f1() -> GoldF1:
    """Returns F1 of jusText on Canola's development set, with one parameter varied and the others as in a preset.

    It is measured on text nodes with annotation reliability above 0; `snakemake evaluation` makes the table again.
    """
    lines = resources.files("corpusprep.statistics").joinpath("gold_f1.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines[1:])
    return {(preset, parameter, value): f1 for preset, parameter, value, f1 in rows}


class WordsKept:
    """Words in good blocks at each threshold, and their share of all words of the crawl's pages."""

    name = "thresholds"
    columns = ("parameter", "value", "used", "words_kept", "words_kept_percent", "gold_f1")
    numbers = ("words",)

    def __init__(self, preset: str, thresholds: Thresholds | None) -> None:
        """Takes the corpus's thresholds and the preset they are based on; None: not made by jusText."""
        self._preset = preset
        self._used = thresholds
        self._settings = settings(thresholds) if thresholds else []
        self._sweep: Sweep | None = None

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts the words in a part of a batch; a key is a set of thresholds, or empty for all words."""
        found: dict[str, int] = {}
        if self._settings and part.blocks.height:
            blocks = Measures.of_rows(part.blocks)
            found[_ALL] = int(blocks.words.sum())
            if self._sweep is None:
                self._sweep = Sweep([setting.thresholds for setting in self._settings])
            found |= dict(zip(map(_key, self._settings), self._sweep.words_kept(blocks), strict=True))
        return pl.DataFrame({"key": list(found), "words": list(found.values())}, {"key": pl.String, "words": pl.Int64})

    def rows(self, totals: Totals) -> list[tuple[Cell, ...]]:
        """Returns the table: one row per setting; empty if the corpus was not made by jusText."""
        gold = gold_f1() if self._settings else {}
        words = totals.get(_ALL, (0,))[0]
        rows: list[tuple[Cell, ...]] = []
        for setting in self._settings:
            if words and _key(setting) not in totals:
                raise StageFileError(
                    f"the words kept at {setting.parameter} {setting.value} were not counted: the batches were counted "
                    "with other thresholds; run `corpusprep statistics count` again"
                )
            kept = totals.get(_key(setting), (0,))[0]
            f1 = gold.get((self._preset, setting.parameter, setting.value), "")
            used = int(setting.thresholds == self._used)
            rows.append((setting.parameter, setting.value, used, kept, percent(kept, words), f1))
        return rows


_ALL = ""


def _key(setting: Setting) -> str:
    return "\t".join(map(str, astuple(setting.thresholds)))
