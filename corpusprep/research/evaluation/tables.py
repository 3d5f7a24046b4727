"""The tables of chapter 2, each number beside the published one."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpusprep.errors import StageFileError
from corpusprep.pages.algorithms.justext import PRESETS
from corpusprep.report import published
from corpusprep.research.comparison import Number, Table
from corpusprep.research.evaluation import measuring
from corpusprep.research.evaluation.configurations import CONFIGURATIONS
from corpusprep.research.evaluation.data import SETS
from corpusprep.research.evaluation.measuring import Measured
from corpusprep.research.evaluation.notes import NOTES
from corpusprep.research.evaluation.scores import Counts, intervals, macro, micro

_SCORES = {"P": 0, "R": 1, "F1": 2, "F05": 3}
_NAMES = ("P", "R", "F1", "F0.5")


@dataclass(slots=True, frozen=True)
class SetFacts:
    """What is known of a gold set: pages, odd cases, hash; present or not."""

    name: str
    title: str
    pages: int
    cases: dict[str, int]
    data: str
    present: bool


@dataclass(slots=True, frozen=True)
class Results:
    """All that was measured."""

    facts: dict[str, SetFacts]
    measured: dict[str, Measured]
    canola: dict[str, Any] | None

    @classmethod
    def read(cls, folder: Path) -> "Results":
        """Reads the folder that `corpusprep evaluation measure` and `canola` wrote to.

        Raises:
            StageFileError: a file is missing or damaged.
        """
        facts = {name: SetFacts(**_json(folder / f"{name}.json")) for name in SETS}
        measured = {name: measuring.read(folder / f"{name}.tsv") for name in SETS}
        return cls(facts, measured, _json(folder / "canola.json"))


def tables(results: Results) -> list[Table]:
    """The tables, in the order of the thesis."""
    return [
        _volumes(results),
        _classifiers(results),
        _tuning(results),
        *_scored(
            results,
            "2.5",
            "Text nodes of Canola",
            "canola-test",
            {"AR100_": "nodes_100", "AR0_": "nodes_0"},
            "Weighted by characters, at annotation reliability 100 and above 0, on the test set.",
        ),
        *_scored(
            results,
            "2.6",
            "Words of Canola",
            "canola-test",
            {"with_undec_": "words_with", "without_": "words_without"},
            "By words, with and without the undecided text nodes in the gold standard, on the test set.",
        ),
        _configurations(results),
        *_scored(results, "2.8", "CleanEval", "cleaneval-final", {"": "words"}, "By words, without what is not ASCII."),
        *_scored(results, "2.9", "L3S-GN1", "l3s-gn1", {"": "words"}, "By words, without what is not ASCII."),
        _stop_lists(results),
        _fragments(results),
        _baisa(results),
        _baisa_sites(results),
        *_others(results),
    ]


def _scored(
    results: Results, number: str, title: str, gold_set: str, columns: dict[str, str], about: str
) -> Iterator[Table]:
    """A table of P, R, F1 and F0.5, then one of what was not published; `columns`: prefix of columns -> measure."""
    rows = {row["algorithm"]: row for row in published.table(number)}
    measured = results.measured[gold_set]
    numbers: list[Number] = []
    listed = {name for configuration in CONFIGURATIONS for name in configuration.published}
    for configuration in CONFIGURATIONS:
        theirs = next((rows[name] for name in configuration.published if name in rows), {})
        for prefix, measure in columns.items():
            counts = measured.of(configuration.title, measure)
            if counts or theirs:
                numbers += _numbers(configuration.title, prefix, theirs, counts)
    titles = {configuration.title for configuration in CONFIGURATIONS}
    for name, theirs in rows.items():
        if name not in listed:
            row = f"{name} (boilerpipe’s program)" if name in titles else name
            numbers += [n for prefix in columns for n in _numbers(row, prefix, theirs, None)]
    yield Table(number, title, about, numbers, _notes(results, number, [gold_set]))
    yield _further(number, title, measured, list(columns.values()))


def _further(number: str, title: str, measured: Measured, measures: Sequence[str]) -> Table:
    """Words of all characters, where they were scored; means over pages, and 95 % intervals of the last measure."""
    numbers = []
    for configuration in CONFIGURATIONS:
        counts = measured.of(configuration.title, "words_all") if "words" in measures else None
        if counts:
            for name, value in zip(_NAMES, micro(counts), strict=True):
                numbers.append(Number(configuration.title, f"all characters: {name}", "", _two(value)))
        counts = measured.of(configuration.title, measures[-1])
        if counts:
            for name, value in zip(_NAMES, macro(counts), strict=True):
                numbers.append(Number(configuration.title, f"mean over pages: {name}", "", _two(value)))
            for name, (low, high) in zip(_NAMES[2:], intervals(counts), strict=True):
                numbers.append(Number(configuration.title, f"95 %: {name}", "", f"{low:.2f}–{high:.2f}"))
    about = {
        "words": "Scored with all characters (without Evert’s -a); as above, but the mean over pages of their scores",
        "nodes_0": "At annotation reliability above 0: the mean over pages of their scores",
        "words_without": "Without undecided text nodes: the mean over pages of their scores",
    }[measures[-1]] + "; bootstrap intervals of the scores over all pages (2,000 draws of pages, fixed seed)."
    return Table(f"{number} further", f"{title}, further", about, numbers)


def _numbers(row: str, prefix: str, theirs: dict[str, str], counts: Sequence[Counts] | None) -> Iterator[Number]:
    names = dict(zip(_SCORES, _NAMES, strict=True))
    label = {"AR100_": "AR = 100: ", "AR0_": "AR > 0: ", "with_undec_": "with undecided: ", "without_": "without: "}
    means = micro(counts) if counts else None
    each = macro(counts) if counts else None
    spread = intervals(counts) if counts else None
    for score, place in _SCORES.items():
        value = _two(theirs.get(prefix + score, ""))
        interval = spread[place - 2] if spread and place >= 2 else None
        yield Number(
            row,
            label.get(prefix, "") + names[score],
            value,
            _two(means[place]) if means else "",
            (_two(interval[0]), _two(interval[1])) if interval else ("", ""),
            _two(each[place]) if each else "",
        )


def _volumes(results: Results) -> Table:
    ours = {(row[0], str(row[2]), row[1]): row[3:] for row in (results.canola or {}).get("volumes", ())}
    numbers = []
    for theirs in published.table("2.2"):
        found = ours.get((theirs["set"], theirs["reliability"], theirs["annotation"]))
        row = f"{theirs['set']}, AR {'= 100' if theirs['reliability'] == '100' else '> 0'}, {theirs['annotation']}"
        for place, column in enumerate(("text_nodes", "characters")):
            numbers.append(Number(row, column.replace("_", " "), theirs[column], str(found[place]) if found else ""))
    notes = _notes(results, "2.2", ["canola-test", "canola-dev"])
    return Table("2.2", "Volume of Canola’s annotations", "Text nodes and their characters.", numbers, notes)


def _classifiers(results: Results) -> Table:
    ours = {row["classifier"]: row for row in (results.canola or {}).get("best", ())}
    numbers = []
    for theirs in published.table("2.3"):
        classifier = theirs["classifier"]
        found = ours.get(classifier)
        for least, label in (("100", "AR = 100"), ("0", "AR > 0")):
            for score, name in (("F1", "F1"), ("F05", "F0.5")):
                column = f"AR{least}_{score}"
                threshold, value = found[f"{least} {score.lower()}"] if found else ("", "")
                if theirs[f"{column}_threshold"]:
                    numbers.append(
                        Number(classifier, f"{label}: {name} at", theirs[f"{column}_threshold"], str(threshold))
                    )
                numbers.append(Number(classifier, f"{label}: {name}", _two(theirs[column]), _two(value)))
    about = "The largest F1 and F0.5 that one feature reaches on the development set, and at which threshold."
    return Table("2.3", "Simple classifiers", about, numbers, _notes(results, "2.3", ["canola-dev"]))


def _tuning(results: Results) -> Table:
    canola = results.canola or {}
    at_theirs = canola.get("published_steps", {})
    own = {step["step"]: step for step in canola.get("tuning", ())}
    numbers = []
    for theirs in published.table("2.4"):
        step = theirs["step"]
        for least, label in (("100", "AR = 100"), ("0", "AR > 0")):
            found = at_theirs.get(step, {}).get(least, "")
            numbers.append(
                Number(step, f"F0.5, {label}, at the thesis’s parameters", _two(theirs[f"F05_AR{least}"]), _two(found))
            )
        if step in own:
            for least, label in (("100", "AR = 100"), ("0", "AR > 0")):
                value = own[step]["f05"][least]
                numbers.append(Number(step, f"F0.5, {label}, at our own", _two(theirs[f"F05_AR{least}"]), _two(value)))
        for name in ("MAX_LINK_DENSITY", "LENGTH_LOW", "STOPWORDS_LOW", "LENGTH_HIGH", "STOPWORDS_HIGH"):
            value = own[step][name.lower()] if step in own else ""
            numbers.append(Number(step, name, theirs[name], f"{value:g}" if value != "" else ""))
    about = (
        "One parameter after another is set to its best value on the development set (2.9.5): F0.5 at the thesis’s "
        "parameters of each step, and at those that the same procedure finds here."
    )
    return Table("2.4", "Tuning of jusText", about, numbers, _notes(results, "2.4", ["canola-dev"]))


def _configurations(results: Results) -> Table:
    numbers = []
    for theirs in published.table("2.7"):
        parameter = theirs["parameter"]
        for preset, thresholds in PRESETS.items():
            value = getattr(thresholds, parameter.lower())
            numbers.append(Number(f"jusText {preset}", parameter, f"{float(theirs[preset]):g}", f"{value:g}"))
    numbers.sort(key=lambda number: number.row)
    return Table("2.7", "Configurations of jusText", "The presets, as the thesis evaluates them.", numbers)


def _stop_lists(results: Results) -> Table:
    ours = (results.canola or {}).get("stop_lists", {})
    rows = {"default (319 words)": "default", "BNC100": "100", "BNC500": "500"}
    titles = {"default": "319 words", "100": "100 most frequent words", "500": "500 most frequent words"}
    numbers = []
    for theirs in published.table("2.10"):
        name = rows[theirs["stop_list"]]
        for least, label in (("100", "AR = 100"), ("0", "AR > 0")):
            for score, place in _SCORES.items():
                value = ours[name][least][place] if ours else ""
                shown = f"{label}: {'F0.5' if score == 'F05' else score}"
                numbers.append(Number(titles[name], shown, _two(theirs[f"AR{least}_{score}"]), _two(value)))
    about = "jusText A on Canola’s test set with different stop lists; text nodes, weighted by characters."
    return Table("2.10", "Stop lists", about, numbers, _notes(results, "2.10", ["canola-test"]))


def _fragments(results: Results) -> Table:
    ours = dict((results.canola or {}).get("fragments", {}))
    columns = {
        "avg_fragment_chars": "average",
        "median_fragment_chars": "median",
        "fragments_per_document": "a document",
    }
    rows = published.table("2.11")
    stored = {row["algorithm"]: row for row in rows}
    by_title = {"perfect cleaning": "perfect cleaning"}
    for configuration in CONFIGURATIONS:
        by_title[configuration.title] = next((n for n in configuration.published if n in stored), configuration.title)
    numbers = []
    for title, name in by_title.items():
        theirs = stored.get(name, {})
        for place, (column, label) in enumerate(columns.items()):
            value = ours[title][place] if title in ours else ""
            numbers.append(Number(title, label, theirs.get(column, ""), _two(value)))
    about = (
        "Runs of text nodes that are kept, on Canola’s test set: average and median characters, and how many a page."
    )
    return Table("2.11", "Fragments", about, numbers, _notes(results, "2.11", ["canola-test"]))


def _baisa(results: Results) -> Table:
    names = {"BTE": "BTE", "WCC single": "density"}
    measured = results.measured["cleaneval-dev"]
    numbers = []
    for theirs in published.table("baisa.3.1"):
        title = names.get(theirs["algorithm"], "")
        counts = measured.of(title, "words") if title else None
        each = macro(counts) if counts else None
        for place, column in enumerate(("precision", "recall", "f_score")):
            value = _two(each[place]) if each else ""
            numbers.append(Number(theirs["algorithm"], ("P", "R", "F1")[place], _two(theirs[column]), value))
    for configuration in CONFIGURATIONS:
        counts = measured.of(configuration.title, "words")
        if counts and configuration.title not in names.values():
            each = macro(counts)
            numbers += [
                Number(configuration.title, name, "", _two(each[place])) for place, name in enumerate(("P", "R", "F1"))
            ]
    about = "CleanEval’s 58 development pages; precision, recall and F averaged over pages, as in Baisa 2009."
    return Table(
        "Baisa 3.1", "CleanEval’s development pages", about, numbers, _notes(results, "Baisa 3.1", ["cleaneval-dev"])
    )


def _baisa_sites(results: Results) -> Table:
    names = {"BTE": "BTE", "WCC single": "density", "WCC multi": "density, sites"}
    measured = results.measured["cleanportaleval"]
    numbers = []
    for theirs in published.table("baisa.3.3"):
        counts = measured.of(names.get(theirs["algorithm"], ""), "words")
        each = macro(counts) if counts else None
        for place, column in enumerate(("precision", "recall", "f_score")):
            value = _two(each[place]) if each else ""
            numbers.append(Number(theirs["algorithm"], _NAMES[place], _two(theirs[column]), value))
    about = (
        "Baisa’s multiple files of one site. His tables 3.2 and 3.3 are of a Silver standard of 100 pages that is not "
        "public; ours are of CleanPortalEval, which is other data: several pages of each of four portals."
    )
    return Table("Baisa 3.3", "Pages of one site", about, numbers, _notes(results, "Baisa 3.3", ["cleanportaleval"]))


def _others(results: Results) -> Iterator[Table]:
    """Sets that nothing was published on in chapter 2."""
    about = {
        "cleanportaleval": "By words; several pages of each of four portals.",
        "daniel": "By words (Chinese by characters); news in English, Chinese, Polish, Greek and Russian.",
        "chinese": "By characters.",
    }
    for name, text in about.items():
        measured = results.measured[name]
        numbers = [
            number
            for configuration in CONFIGURATIONS
            for number in _numbers(configuration.title, "", {}, measured.of(configuration.title, "words"))
            if number.ours
        ]
        yield Table(name, results.facts[name].title, text, numbers, _notes(results, name, [name]))


def _notes(results: Results, table: str, gold_sets: Sequence[str]) -> list[str]:
    """The notes under a table: what its sets are like, and why numbers differ."""
    said = []
    for name in gold_sets:
        facts = results.facts[name]
        if not facts.present:
            said.append(f"{facts.title}: the data is not there, so the set is left out and our columns are empty.")
            continue
        cases = "; ".join(f"{count:,} {case}" for case, count in facts.cases.items() if count)
        said.append(f"{facts.title}: {facts.pages:,} pages{'; ' + cases if cases else ''}.")
    return said + NOTES.get(table, [])


def _two(value: Any) -> str:
    """A number with two decimals; empty for none."""
    return f"{float(value):.2f}" if value != "" else ""


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StageFileError(f"{path}: no such file; run `corpusprep evaluation measure` and `canola` first") from None
    except ValueError:
        raise StageFileError(f"{path}: not a file of this stage") from None
