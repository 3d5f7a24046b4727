"""Makes the tables of chapter 2, each number beside the published one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpusprep.pages.algorithms.justext import PRESETS
from corpusprep.report import published
from corpusprep.research.comparison import Number, Table
from corpusprep.research.evaluation import json_files, measuring
from corpusprep.research.evaluation.configurations import CONFIGURATIONS
from corpusprep.research.evaluation.data import SETS
from corpusprep.research.evaluation.measuring import Measured, SetFacts
from corpusprep.research.evaluation.notes import NOTES
from corpusprep.research.evaluation.scores import Counts, intervals, macro, micro

_SCORES = {"P": 0, "R": 1, "F1": 2, "F05": 3}
_NAMES = ("P", "R", "F1", "F0.5")
_BY_WORDS = "Scored by words, without non-ASCII characters."


@dataclass(slots=True, frozen=True)
class Results:
    """All measurements.

    Attributes:
        facts: by gold set.
        measured: by gold set.
        canola: what canola.measure returned; None without Canola.
    """

    facts: dict[str, SetFacts]
    measured: dict[str, Measured]
    canola: dict[str, Any] | None

    @classmethod
    def read(cls, folder: Path) -> "Results":
        """Reads the folder that `corpusprep evaluation measure` and `canola` wrote to.

        Raises:
            StageFileError: a file is missing or damaged.
        """
        facts = {name: SetFacts(**json_files.read(folder / f"{name}.json")) for name in SETS}
        measured = {name: measuring.read(folder / f"{name}.tsv") for name in SETS}
        return cls(facts, measured, json_files.read(folder / "canola.json"))


def tables(results: Results) -> list[Table]:
    """Returns the tables, in the order of the thesis."""
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
            "Text nodes of the test set, weighted by their characters, at annotation reliability (AR) 100 and above 0.",
        ),
        *_scored(
            results,
            "2.6",
            "Words of Canola",
            "canola-test",
            {"with_undec_": "words_with", "without_": "words_without"},
            "Words of the test set, with and without the undecided text nodes in the gold standard.",
        ),
        _configurations(results),
        *_scored(
            results,
            "2.8",
            "CleanEval",
            "cleaneval-final",
            {"": "words"},
            _BY_WORDS,
        ),
        *_scored(results, "2.9", "L3S-GN1", "l3s-gn1", {"": "words"}, _BY_WORDS),
        _stop_lists(results),
        _fragments(results),
        _baisa(results),
        _baisa_sites(results),
        *_others(results),
    ]


def _scored(
    results: Results, number: str, title: str, gold_set: str, columns: dict[str, str], about: str
) -> Iterator[Table]:
    """Yields a table of P, R, F1 and F0.5, then a table of unpublished scores; `columns`: prefix -> measure."""
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
    if gold_set == "canola-test":
        yield _whole(results, number, title, rows, columns)
    yield _further(number, title, measured, list(columns.values()))


def _whole(
    results: Results, number: str, title: str, rows: dict[str, dict[str, str]], columns: dict[str, str]
) -> Table:
    """Returns a table of both halves of Canola together: what does not depend on how the pages are split."""
    halves = [results.measured[name] for name in ("canola-test", "canola-dev")]
    numbers: list[Number] = []
    for configuration in CONFIGURATIONS:
        theirs = next((rows[name] for name in configuration.published if name in rows), {})
        for prefix, measure in columns.items():
            counts = [count for half in halves for count in half.of(configuration.title, measure) or ()]
            if counts:
                numbers += _numbers(configuration.title, prefix, theirs, counts)
    pages = sum(results.facts[name].pages for name in ("canola-test", "canola-dev"))
    about = f"The same for the {pages} pages of both halves, beside the published numbers for 100 pages."
    return Table(f"{number} all pages", f"{title}, both halves", about, numbers)


def _further(number: str, title: str, measured: Measured, measures: Sequence[str]) -> Table:
    """Returns scores with all characters, if measured; means over pages and 95 % intervals of the last measure."""
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
        "words": "Scores with all characters (without Evert’s option -a). Then, scored as in the table above",
        "nodes_0": "At annotation reliability above 0",
        "words_without": "Without undecided text nodes",
    }[measures[-1]] + ": means of the pages’ scores, and 95 % bootstrap intervals (2,000 draws of pages, fixed seed)."
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
    about = "The highest F1 and F0.5 of each classifier on the development set, and the threshold that gives it."
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
        "Each step sets one parameter to its best value on the development set (2.9.5). F0.5 is shown at the thesis’s "
        "parameters of the step, and at the parameters that the same procedure finds here."
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
    return Table("2.7", "Configurations of jusText", "The presets that the thesis evaluates.", numbers)


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
        "Sequences of kept text nodes on Canola’s test set: average and median length in characters, and number per "
        "document."
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
        "Algorithms that compare the pages of one site. Baisa’s tables 3.2 and 3.3 use a silver standard of 100 pages, "
        "which is not public. Ours use other data: CleanPortalEval, several pages of each of four portals."
    )
    return Table("Baisa 3.3", "Pages of one site", about, numbers, _notes(results, "Baisa 3.3", ["cleanportaleval"]))


def _others(results: Results) -> Iterator[Table]:
    """Yields the tables of sets without published numbers in chapter 2."""
    about = {
        "cleanportaleval": "Scored by words; several pages of each of four portals.",
        "daniel": "News in English, Chinese, Polish, Greek and Russian, scored by words (Chinese by characters).",
        "chinese": "Scored by characters.",
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
    """Returns the notes under a table: facts about its sets, and causes of differences."""
    notes = []
    for name in gold_sets:
        facts = results.facts[name]
        if not facts.present:
            notes.append(f"{facts.title}: the data is missing, so the set is left out and our columns are empty.")
            continue
        cases = "; ".join(f"{count:,} {case}" for case, count in facts.cases.items() if count)
        notes.append(f"{facts.title}: {facts.pages:,} pages{'; ' + cases if cases else ''}.")
    return notes + NOTES.get(table, [])


def _two(value: Any) -> str:
    """Returns a number with two decimals; empty text stays empty."""
    return f"{float(value):.2f}" if value != "" else ""
