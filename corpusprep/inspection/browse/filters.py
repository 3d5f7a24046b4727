"""The page with a slider for each threshold of the filter by quality: what other values remove, and how to get them."""

import json
import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import yaml
from numpy.typing import NDArray

from corpusprep.errors import ConfigError
from corpusprep.inspection.browse.command_text import command_lines
from corpusprep.inspection.browse.sliders import LONGEST_NUMBER, SHOWN_CHARACTERS
from corpusprep.inspection.filter_trial import Amount, FilterTrial, Outcome, Place, section_in_use
from corpusprep.inspection.thresholds import rows_of
from corpusprep.io.readable import printable
from corpusprep.quality.presets import PRESETS
from corpusprep.quality.rules import Rule
from corpusprep.quality.sampling import described
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table

#: The share of the values that a slider reaches; the number beside it takes any value.
_REACHED = 0.99
#: Steps of a slider, about.
_STEPS = 200
_STEP_UNITS = (5, 2, 1)


class Control(NamedTuple):
    """The slider of a threshold.

    Attributes:
        name: of its field: `least.words`, `blocks.most.policies`.
        label: the signal, and on which side of the threshold values are kept.
        place: of the rule among those that apply.
        value: the threshold at the beginning.
        least, most, step: of the slider.
        whole: whether the values are whole numbers.
    """

    name: str
    label: str
    place: int
    value: float
    least: float
    most: float
    step: float
    whole: bool


def begin(folder: Path, preset: str = "") -> tuple[FilterTrial, list[Control]]:
    """Returns the trial of a corpus that begins with the rules that made it, or with those of a preset; its sliders.

    Raises:
        StageFileError: the corpus has no stored signals, or they are damaged.
        ConfigError: the preset is unknown.
    """
    in_use = section_in_use(folder)
    trial = FilterTrial(folder, {"preset": [preset]} if preset else in_use)
    rules = enumerate(trial.rules(trial.section))
    return trial, [_control(trial, place, rule) for place, rule in rules if rule.threshold is not None]


def presets() -> list[str]:
    """Returns the presets that a trial can begin with."""
    return list(PRESETS)


def conditions(trial: FilterTrial) -> list[str]:
    """Returns the rules without a slider."""
    return [rule.text for rule in trial.rules(trial.section) if rule.threshold is None]


def _control(trial: FilterTrial, place: int, rule: Rule) -> Control:
    threshold = float(rule.threshold or 0)
    values = trial.values(rule)
    values = values[~np.isnan(values)]
    whole = threshold == round(threshold) and bool((values == np.round(values)).all())
    reached = [float(values.min()), float(np.quantile(values, _REACHED))] if len(values) else []
    least, most = min(0.0, threshold, *reached), max(threshold, *reached)
    most = least + 1 if most == least else most
    step = _step(most - least, whole=whole)
    first = math.floor(least / step) * step
    side = "least" if rule.least else "most"
    return Control(
        f"{'blocks.' if rule.of_blocks else ''}{side}.{rule.signals[0]}",
        f"{'blocks: ' if rule.of_blocks else ''}{rule.signals[0].replace('_', ' ')}, at {side}",
        place,
        threshold,
        round(first, 9),
        round(first + math.ceil((most - first) / step) * step, 9),
        step,
        whole,
    )


def _step(width: float, *, whole: bool) -> float:
    """Returns the step of a slider: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(width / _STEPS))
    step = next(unit for unit in _STEP_UNITS if unit * power <= width / _STEPS) * power
    return max(1.0, step) if whole else round(step, 9)


def chosen(sliders: Sequence[Control], settings: Mapping[str, str]) -> dict[str, float]:
    """Returns the thresholds that an address gives and that are not those at the beginning, by the names of controls.

    Raises:
        ConfigError: a value cannot be read.
    """
    moved = {}
    for control in sliders:
        text = settings.get(control.name, "")
        if not text:
            continue
        try:
            value = float(text) if len(text) <= LONGEST_NUMBER else math.nan
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise ConfigError(f"{control.name} is {text[:20]!r}; write a number")
        if value != control.value:
            moved[control.name] = value
    return moved


def section_with(trial: FilterTrial, moved: Mapping[str, float]) -> dict[str, Any]:
    """Returns the section `filter` of the beginning with other thresholds."""
    section = deepcopy(trial.section)
    for name, value in moved.items():
        *path, signal = name.split(".")
        node = section
        for key in path:
            node = node.setdefault(key, {})
        node[signal] = int(value) if value == round(value) else value
    return section


def sentence(amount: Amount, alone: Amount, what: str) -> str:
    """Returns what a rule removes, in words."""
    if not amount.number:
        return f"refuses no {what}"
    return (
        f"refuses {_number(amount.number, what)} ({_number(amount.words, 'word')}), {alone.number:,} of them alone"
        f" ({_number(alone.words, 'word')})"
    )


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _change(before: tuple[NDArray[np.bool_], NDArray[np.int64]], outcome: Outcome) -> str:
    """Returns how many documents and words come back and go."""
    kept, words = before
    more = outcome.words * outcome.kept - words * kept
    sides = (
        (outcome.kept & ~kept, more[more > 0], "come back"),
        (kept & ~outcome.kept, -more[more < 0], "go"),
    )
    texts = [
        f"{_number(int(documents.sum()), 'document')} and {_number(int(number.sum()), 'word')} {what}"
        for documents, number, what in sides
        if documents.any() or number.any()
    ]
    return ", ".join(texts) or "nothing changes"


def summary(trial: FilterTrial, outcome: Outcome) -> str:
    """Returns what rules do to all documents, beside the rules that made the corpus."""
    kept = outcome.total
    return (
        f"{kept.number:,} of {len(outcome.kept):,} documents stay, {kept.words:,} of {trial.before:,} words. Beside the"
        f" corpus: {_change((trial.now, trial.words_now), outcome)}."
    )


def notes(trial: FilterTrial, sliders: Sequence[Control], moved: Mapping[str, float], outcome: Outcome) -> list[str]:
    """Returns what each rule with a slider does; of one that was moved, also what this move alone changes."""
    texts = []
    for control in sliders:
        what = "block" if control.name.startswith("blocks.") else "document"
        text = sentence(outcome.refused[control.place], outcome.alone[control.place], what)
        if control.name in moved:
            own = (
                outcome if len(moved) == 1 else trial.outcome(section_with(trial, {control.name: moved[control.name]}))
            )
            text += f". By this move alone: {_change((trial.begun.kept, trial.begun.words), own)}"
        texts.append(f"{text}.")
    return texts


def sides(trial: FilterTrial, section: Mapping[str, Any], control: Control, base: str) -> list[dict[str, Any]]:
    """Returns what is nearest to a threshold: what the rule refuses, and what it does not refuse.

    Args:
        trial: of the corpus.
        section: the rules.
        control: the slider of the rule.
        base: what the addresses of its pages begin with.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    both = trial.nearest(section, control.place)
    about = _described(trial.folder, [place for side in both for place in side])
    return [
        {
            "refused": refused,
            "documents": [
                {
                    "page": f"{base}/{place.batch}/{place.record}"
                    + ("" if place.block is None else f"#b{place.block}"),
                    "title": title or "no title",
                    "url": url,
                    "text": text,
                    "about": f"{round(place.value, 4):g}"
                    + (f", {_number(place.others, 'other rule')}" if place.others else ""),
                }
                for place in side
                for title, url, text in [about[place[:3]]]
            ],
        }
        for refused, side in zip((True, False), both, strict=True)
    ]


def _described(folder: Path, places: Sequence[Place]) -> dict[tuple[str, int, int | None], tuple[str, str, str]]:
    """Returns title, URL and text of documents, or the text of blocks, by batch, record and block."""
    found: dict[tuple[str, int, int | None], tuple[str, str, str]] = {}
    for batch in dict.fromkeys(place.batch for place in places):
        files = BatchFiles.of(folder, batch)
        own = [place for place in places if place.batch == batch]
        records = pl.Series("record", sorted({place.record for place in own}), pl.UInt32)
        urls = read_table(files.tokens, schemas.TOKENS, ["record", "url"])
        rows = described(files, urls.filter(pl.col("record").is_in(records.implode())))
        about = {
            record: (title, url, text)
            for record, title, url, text in rows.select("record", "title", "url", "text").iter_rows()
        }
        texts = {}
        if own[0].block is not None:
            of_blocks = rows_of(files.boilerplate, records, ["record", "block", "text"])
            texts = {(record, block): text for record, block, text in of_blocks.iter_rows()}
        for place in own:
            title, url, text = about[place.record]
            if place.block is not None:
                text = printable(texts[place.record, place.block], SHOWN_CHARACTERS)
            found[place[:3]] = title, url, text
    return found


def config_of(section: Mapping[str, Any]) -> str:
    """Returns rules as the section of a config."""
    text = yaml.safe_dump(dict(section), default_flow_style=True, sort_keys=False, allow_unicode=True, width=math.inf)
    return f"filter: {text.rstrip()}"


def recut_of(section: Mapping[str, Any], corpus: Path, *, written: bool) -> str:
    """Returns the command that says what rules would do, and writes a corpus with them beside the built one.

    Args:
        section: the rules.
        corpus: the folder of the built corpus.
        written: whether such a corpus can be written.
    """
    parts = [["corpusprep", "recut", str(corpus)], ["--filter", json.dumps(section, ensure_ascii=False)]]
    return command_lines([*parts, ["--output", f"{corpus}-recut"]] if written else parts)
