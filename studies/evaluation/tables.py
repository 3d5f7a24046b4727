"""Makes the tables of chapter 2, each number beside the published one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpusprep.cleaners.block_models import TOP_SCORE, read_model, shipped_model
from corpusprep.cleaners.justext import PRESETS
from corpusprep.gold import json_files
from corpusprep.gold.data import CAUSE_SETS, SETS, TRAINED_ON
from corpusprep.gold.scores import Counts, intervals, macro, micro, paired_interval
from corpusprep.report import published
from studies.baisa_2009 import tables as baisa
from studies.comparison import Number, Table
from studies.evaluation import cleaners, measuring, speed
from studies.evaluation.causes import CHANGES, FUNCTIONAL
from studies.evaluation.measuring import Measured, SetFacts
from studies.evaluation.notes import NOT_MEASURED, NOTES
from studies.evaluation.speed import Timed
from studies.evaluation.trained import SYSTEMS

_SCORES = {"P": 0, "R": 1, "F1": 2, "F05": 3}
_NAMES = ("P", "R", "F1", "F0.5")
_COLUMNS = dict(zip(_SCORES, _NAMES, strict=True))
_LABELS = {"AR100_": "AR = 100: ", "AR0_": "AR > 0: ", "with_undec_": "with undecided: ", "without_": "without: "}
_CHANGES = (
    "Functional words: the stop list of the thesis instead of the most frequent words. <select> removed: no block, as "
    "in 2.9; else a bad one. Block tags of footnote 15: other block-level elements, which HTML has had since, do not "
    "separate blocks. Annotated pages: the pages that the gold standard annotates, without <select>, instead of the "
    "original ones. Popular words: the alignment skips them, as Python before 2.7.1 did. Inline elements cut: "
    "boilerpipe’s program ends a segment at <b>, <i>, <span> and others too. Without <title>: "
    "ArticleExtractor knows no title. Text after </body>: a page ends at its first </body>."
)
_BY_WORDS = "Scored by words, without non-ASCII characters."


@dataclass(slots=True, frozen=True)
class Results:
    """All measurements.

    Attributes:
        facts: by gold set.
        measured: by gold set.
        canola: what canola.measure returned; None without Canola.
        causes: by gold set, the rows of causes.measure.
        extractors: of the models of `content` and of public extractors, by gold set.
        versions: of the public extractors; None for one that is not installed.
        speed: the time of each system, by gold set.
        times: what times.write wrote.
    """

    facts: dict[str, SetFacts]
    measured: dict[str, Measured]
    canola: dict[str, Any] | None
    causes: dict[str, list[list[Any]]]
    extractors: dict[str, Measured] = field(default_factory=dict)
    versions: dict[str, str | None] = field(default_factory=dict)
    speed: dict[str, dict[str, Timed]] = field(default_factory=dict)
    times: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> "Results":
        """Reads the folder that `corpusprep evaluation measure`, `extractors` and `canola` wrote to.

        Raises:
            StageFileError: a file is missing or damaged.
        """
        facts = {name: SetFacts(**json_files.read(folder / f"{name}.json")) for name in SETS}
        measured = {name: measuring.read(folder / f"{name}.tsv") for name in SETS}
        for name, own in measured.items():
            own.counts.update(measuring.read(folder / "trained" / f"{name}.tsv").counts)
        causes = {name: json_files.read(folder / f"causes_{name}.json") for name in CAUSE_SETS}
        extractors = {name: measuring.read(folder / "extractors" / f"{name}.tsv") for name in SETS}
        versions = {k: v for name in SETS for k, v in json_files.read(folder / "extractors" / f"{name}.json").items()}
        timed = {name: speed.read(folder / "speed" / f"{name}.tsv") for name in SETS}
        canola, times = (json_files.read(folder / f"{name}.json") for name in ("canola", "times"))
        return cls(facts, measured, canola, causes, extractors, versions, timed, times)

    def cleaners(self) -> list[cleaners.Row]:
        """Returns all cleaners and public extractors, with what was measured of them."""
        return cleaners.rows(self.measured, self.extractors, self.speed)

    def changed(self, gold_set: str, change: str, system: str, measure: str, code: str = "en") -> list[Any] | None:
        """Returns the scores of a system with a change (causes.CHANGES), and their means over pages; or None."""
        key = [change, code, system, measure]
        return next((row[4:] for row in self.causes.get(gold_set, ()) if row[:4] == key), None)


def tables(results: Results) -> list[Table]:
    """Returns the tables, in the order of the thesis."""
    return [
        _volumes(results),
        _classifiers(results),
        _coherence(results),
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
        _configurations(),
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
        _stop_lists_by_language(results),
        _fragments(results),
        _votes(results),
        _baisa(results),
        baisa.causes(results.measured["cleaneval-dev"], results.causes.get("cleaneval-dev", [])),
        _baisa_sites(results),
        baisa.seconds(results.times),
        *_others(results),
        *_extractors(results),
        _thresholds(),
        cleaners.table(
            results.cleaners(),
            {name: facts.title for name, facts in results.facts.items()},
            _extractor_notes(results),
        ),
    ]


def _scored(
    results: Results, number: str, title: str, gold_set: str, columns: dict[str, str], about: str
) -> Iterator[Table]:
    """Yields a table of P, R, F1 and F0.5, then a table of unpublished scores; `columns`: prefix -> measure."""
    rows = {row["algorithm"]: row for row in published.table(number)}
    measured = results.measured[gold_set]
    numbers: list[Number] = []
    listed = {name for configuration in SYSTEMS for name in configuration.published}
    for configuration in SYSTEMS:
        theirs = next((rows[name] for name in configuration.published if name in rows), {})
        for prefix, measure in columns.items():
            counts = measured.of(configuration.title, measure)
            if counts or theirs:
                numbers += _numbers(configuration.title, prefix, theirs, counts)
        for prefix, measure in columns.items():
            changed = results.changed(gold_set, FUNCTIONAL, configuration.title, measure)
            if changed:
                row = f"{configuration.title}, {FUNCTIONAL}"
                numbers += [
                    Number(row, _LABELS.get(prefix, "") + name, _two(theirs.get(prefix + score, "")), _two(value))
                    for (score, name), value in zip(_COLUMNS.items(), changed[0], strict=True)
                ]
    for name, theirs in rows.items():
        if name not in listed:
            numbers += [n for prefix in columns for n in _numbers(name, prefix, theirs, None)]
    notes = _notes(results, number, [gold_set]) + _not_measured(numbers)
    yield Table(number, title, about, numbers, notes)
    yield _causes(results, number, title, gold_set, list(columns)[-1], list(columns.values())[-1], rows)
    if gold_set == "canola-test":
        yield _whole(results, number, title, rows, columns)
    yield _further(number, title, measured, list(columns.values()))


def _causes(
    results: Results,
    number: str,
    title: str,
    gold_set: str,
    prefix: str,
    measure: str,
    rows: dict[str, dict[str, str]],
) -> Table:
    """Returns F1 of systems with one thing changed, beside the published F1: what explains differences."""
    numbers = []
    measured = results.measured[gold_set]
    changes = [change.name for change in CHANGES if gold_set in change.sets]
    for configuration in SYSTEMS:
        theirs = next((rows[name] for name in configuration.published if name in rows), {}).get(f"{prefix}F1", "")
        counts = measured.of(configuration.title, measure)
        found = {name: results.changed(gold_set, name, configuration.title, measure) for name in changes}
        if counts and any(found.values()):
            numbers.append(Number(configuration.title, "as above: F1", _two(theirs), _two(micro(counts).f1)))
            numbers += [
                Number(configuration.title, f"{name}: F1", _two(theirs), _two(changed[0][2]) if changed else "")
                for name, changed in found.items()
            ]
    about = (
        f"{_LABELS.get(prefix, '')}F1 with one thing changed. {_CHANGES} The difference is that to the published F1: "
        "the change explains what it takes away."
    )
    return Table(f"{number} causes", f"{title}, causes of differences", about, numbers)


def _whole(
    results: Results, number: str, title: str, rows: dict[str, dict[str, str]], columns: dict[str, str]
) -> Table:
    """Returns a table of both halves of Canola together: what does not depend on how the pages are split."""
    halves = [results.measured[name] for name in ("canola-test", "canola-dev")]
    numbers: list[Number] = []
    for configuration in SYSTEMS:
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
    for configuration in SYSTEMS:
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
    means = micro(counts) if counts else None
    each = macro(counts) if counts else None
    spread = intervals(counts) if counts else None
    for score, place in _SCORES.items():
        value = _two(theirs.get(prefix + score, ""))
        interval = spread[place - 2] if spread and place >= 2 else None
        yield Number(
            row,
            _LABELS.get(prefix, "") + _COLUMNS[score],
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
    numbers = []
    for name, theirs in ((name, row) for name in ("", "_default") for row in published.table("2.3")):
        ours = {row["classifier"]: row for row in (results.canola or {}).get(f"best{name}", ())}
        classifier = theirs["classifier"] + (", frequent words" if name else "")
        if name and theirs["classifier"] not in ("stop words density", "combined"):
            continue
        found = ours.get(theirs["classifier"])
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


def _coherence(results: Results) -> Table:
    """Returns the blocks that have good and bad text nodes (2.9.4, whose numbers stand in the text)."""
    halves = (results.canola or {}).get("coherence", ())
    rows = {"blocks": ("blocks", "18126"), "100": ("mixed, AR = 100", "6"), "0": ("mixed, AR > 0", "218")}
    numbers = [
        Number(title, "blocks", theirs, str(sum(half[key] for half in halves)) if halves else "")
        for key, (title, theirs) in rows.items()
    ]
    about = "Blocks of both halves of Canola, and those that have good as well as bad text nodes."
    notes = _notes(results, "2.9.4", ["canola-test", "canola-dev"])
    return Table("2.9.4", "Coherence of blocks", about, numbers, notes)


def _tuning(results: Results) -> Table:
    canola = results.canola or {}
    at_theirs, frequent = canola.get("published_steps", {}), canola.get("published_steps_default", {})
    own = {step["step"]: step for step in canola.get("tuning", ())}
    numbers = []
    for theirs in published.table("2.4"):
        step = theirs["step"]
        for least, label in (("100", "AR = 100"), ("0", "AR > 0")):
            found = at_theirs.get(step, {}).get(least, "")
            numbers.append(
                Number(step, f"F0.5, {label}, at the thesis’s parameters", _two(theirs[f"F05_AR{least}"]), _two(found))
            )
            value = frequent.get(step, {}).get(least, "")
            shown = f"F0.5, {label}, the same with frequent words"
            numbers.append(Number(step, shown, _two(theirs[f"F05_AR{least}"]), _two(value)))
        if step in own:
            for least, label in (("100", "AR = 100"), ("0", "AR > 0")):
                value = own[step]["f05"][least]
                numbers.append(Number(step, f"F0.5, {label}, at our own", _two(theirs[f"F05_AR{least}"]), _two(value)))
        for name in ("MAX_LINK_DENSITY", "LENGTH_LOW", "STOPWORDS_LOW", "LENGTH_HIGH", "STOPWORDS_HIGH"):
            value = own[step][name.lower()] if step in own else ""
            numbers.append(Number(step, name, theirs[name], f"{value:g}" if value != "" else ""))
    about = (
        "Each step sets one parameter to its best value on the development set (2.9.5). F0.5 is shown at the thesis’s "
        "parameters of the step, and at the parameters that the same procedure finds here. The stop list is the "
        "thesis’s, of functional words."
    )
    return Table("2.4", "Tuning of jusText", about, numbers, _notes(results, "2.4", ["canola-dev"]))


def _configurations() -> Table:
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
    titles = {
        "functional": "functional words (319)",
        "100": "100 most frequent words",
        "500": "500 most frequent words",
        "default": "the default here: most frequent words",
    }
    stored = {row["stop_list"]: row for row in published.table("2.10")}
    rows = {"functional": "default (319 words)", "100": "BNC100", "500": "BNC500"}
    numbers = []
    for name, title in titles.items():
        theirs = stored.get(rows.get(name, ""), {})
        for least, label in (("100", "AR = 100"), ("0", "AR > 0")):
            for score, place in _SCORES.items():
                value = ours[name][least][place] if ours else ""
                shown = f"{label}: {_COLUMNS[score]}"
                numbers.append(Number(title, shown, _two(theirs.get(f"AR{least}_{score}", "")), _two(value)))
    about = "jusText A on Canola’s test set with different stop lists; text nodes, weighted by characters."
    return Table("2.10", "Stop lists", about, numbers, _notes(results, "2.10", ["canola-test"]))


def _votes(results: Results) -> Table:
    """Returns the scores against each annotator of Canola, beside those against the merged annotation."""
    found = (results.canola or {}).get("votes", {})
    numbers = []
    kinds = {"nodes": "text nodes: ", "words": "words: ", "merged": "majority: "}
    for title, several in found.get("systems", {}).items():
        for kind, label in kinds.items():
            for name, value in zip(_NAMES, several.get(kind, ()), strict=False):
                if kind != "merged" or name == "F1":
                    numbers.append(Number(title, f"{label}{name}", "", _two(value)))
    about = (
        "The scorer that 2.10 asks for: each system against every annotator of a page, the mean of their counts. By "
        "characters of text nodes, and by words with a gold text per annotator. Beside it is F1 of the text nodes of "
        "the same pages against the majority (AR > 0). The last row is the agreement of people: no system can be "
        "expected to reach more."
    )
    notes = []
    if found:
        notes.append(
            f"{found['pages']} pages of the test set with {found['annotators']:.2f} annotators on average; "
            f"{found['left_out']} pages whose table of votes does not have the page’s text nodes are left out."
        )
    return Table("2.10 votes", "Scores against several annotators", about, numbers, notes)


def _stop_lists_by_language(results: Results) -> Table:
    """Returns F1 with both kinds of stop list, by set and language: what decides the default of the pipeline."""
    numbers = []
    for name, rows in results.causes.items():
        several = len({row[1] for row in rows}) > 1
        for change, code, system, measure, scores, _ in rows:
            if change == FUNCTIONAL and measure in ("words", "nodes_0") and system.startswith("jusText "):
                counts = None if several else results.measured[name].of(system, measure)
                plain = micro(counts) if counts else (results.changed(name, "", system, measure, code) or [None])[0]
                row = f"{results.facts[name].title}{', ' + code if several else ''}"
                numbers.append(Number(row, f"{system}: frequent words", "", _two(plain[2]) if plain else ""))
                numbers.append(Number(row, f"{system}: functional words", "", _two(scores[2])))
    about = (
        "F1 of jusText with the most frequent words, the default here, and with functional words: English as in the "
        "thesis, Polish of Carrot2, Russian of Snowball."
    )
    return Table("2.10 by set", "Stop lists by set and language", about, numbers)


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
    for configuration in SYSTEMS:
        name = next((name for name in configuration.published if name in stored), configuration.title)
        by_title[configuration.title] = name
        if f"{configuration.title}, {FUNCTIONAL}" in ours:
            by_title[f"{configuration.title}, {FUNCTIONAL}"] = name
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
    measured = results.measured["cleaneval-dev"]
    numbers = []
    for theirs in published.table("baisa.3.1"):
        title = baisa.NAMES.get(theirs["algorithm"], "")
        counts = measured.of(title, "words") if title else None
        each = macro(counts) if counts else None
        for place, column in enumerate(("precision", "recall", "f_score")):
            value = _two(each[place]) if each else ""
            numbers.append(Number(theirs["algorithm"], ("P", "R", "F1")[place], _two(theirs[column]), value))
    for configuration in SYSTEMS:
        counts = measured.of(configuration.title, "words")
        if counts and configuration.title not in baisa.NAMES.values():
            each = macro(counts)
            numbers += [
                Number(configuration.title, name, "", _two(each[place])) for place, name in enumerate(("P", "R", "F1"))
            ]
    about = "CleanEval’s 58 development pages; precision, recall and F averaged over pages, as in Baisa 2009."
    notes = _notes(results, "Baisa 3.1", ["cleaneval-dev"]) + _not_measured(numbers)
    return Table("Baisa 3.1", "CleanEval’s development pages", about, numbers, notes)


def _baisa_sites(results: Results) -> Table:
    measured = results.measured["cleanportaleval"]
    numbers = []
    for theirs in published.table("baisa.3.3"):
        counts = measured.of(baisa.NAMES.get(theirs["algorithm"], ""), "words")
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
            for configuration in SYSTEMS
            for number in _numbers(configuration.title, "", {}, measured.of(configuration.title, "words"))
            if number.ours
        ]
        yield Table(name, results.facts[name].title, text, numbers, _notes(results, name, [name]))


def _extractors(results: Results) -> Iterator[Table]:
    """Yields a table per set: the models of `content` and jusText beside public extractors."""
    notes = _extractor_notes(results)
    for name, extractors in results.extractors.items():
        systems = dict(extractors.counts)
        systems |= {key: rows for key, rows in results.measured[name].counts.items() if key[0] == "jusText A"}
        for measure in dict.fromkeys(measure for _, measure in extractors.counts if not measure.endswith("_all")):
            rows = {system: pages for (system, one), pages in systems.items() if one == measure}
            theirs = {system: rows[system] for system in rows if system in results.versions}
            best = max(theirs, key=lambda system: micro(theirs[system]).f1, default="")
            numbers = [
                number for system, pages in rows.items() for number in _beside_peers(system, pages, theirs.get(best))
            ]
            label = measure.removeprefix("words").strip("_")
            about = "Micro-averaged F1, and the mean over pages"
            about += f". Differences are to the best public extractor, {best}." if best else "."
            title = f"{results.facts[name].title}: extractors{f' ({label})' if label else ''}"
            yield Table(
                f"extractors {name} {measure}", title, about if best else about.partition(",")[0] + ".", numbers, notes
            )


def _thresholds() -> Table:
    """Returns F1 of the shipped models of `content` by threshold, as their cards have it."""
    numbers, notes = [], []
    for name in TRAINED_ON:
        model = read_model(shipped_model(name), "content")
        found = model.card.get("f1_by_threshold", {})
        numbers += [Number(name, threshold, "", value) for threshold, value in found.items()]
        named = (f"{title} {value / TOP_SCORE:g}" for title, value in model.thresholds.items())
        notes.append(f"Thresholds of {name}: {', '.join(named)}.")
    about = (
        "F1 by threshold, a share of the page’s best score: the mean over the training sets, each scored by a model of "
        "the others, and of each set over all its words and over its pages."
    )
    return Table("content thresholds", "Thresholds of content", about, numbers, notes)


def _extractor_notes(results: Results) -> list[str]:
    """Returns the versions of the public extractors, and which are not installed."""
    missing = [title for title, version in results.versions.items() if version is None]
    notes = [f"Not installed, so not measured: {', '.join(missing)} (extra [bench])."] if missing else []
    used = [f"{title} {version}" for title, version in results.versions.items() if version is not None]
    notes += [f"Versions: {', '.join(used)}."] if used else []
    return notes


def _beside_peers(system: str, pages: list[Counts], best: list[Counts] | None) -> Iterator[Number]:
    means, (low, high) = micro(pages), intervals(pages)[0]
    yield Number(system, "P", "", _two(means.precision))
    yield Number(system, "R", "", _two(means.recall))
    yield Number(system, "F1", "", _two(means.f1), (_two(low), _two(high)))
    yield Number(system, "mean over pages", "", _two(macro(pages).f1))
    if best is not None and best is not pages:
        difference, (low, high) = paired_interval(pages, best)
        shown = f"{difference:+.2f} ({low:+.2f} to {high:+.2f})"
        yield Number(system, "to the best extractor", "", shown)


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


def _not_measured(numbers: Sequence[Number]) -> list[str]:
    """Returns one line per system that has published numbers and none of ours: the reason."""
    measured = {number.row for number in numbers if number.ours}
    rows = dict.fromkeys(number.row for number in numbers if number.published and number.row not in measured)
    reasons: dict[str, list[str]] = {}
    for row in rows:
        reason = next((text for start, text in NOT_MEASURED.items() if row.startswith(start)), "")
        if reason:
            reasons.setdefault(reason, []).append(row)
    return [f"{', '.join(named)}: not measured; {reason}" for reason, named in reasons.items()]


def _two(value: Any) -> str:
    """Returns a number with two decimals; empty text stays empty."""
    return f"{float(value):.2f}" if value != "" else ""
