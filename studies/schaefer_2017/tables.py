"""Makes tables 2 to 6 of Schäfer 2016 from the measurements, each number beside the published one."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from corpusprep.io import tsv
from corpusprep.report import published
from studies.comparison import Number, Table
from studies.schaefer_2017 import measuring, scores
from studies.schaefer_2017.classifiers import CLASSIFIERS, MEANINGS, file_name
from studies.schaefer_2017.vectors import LANGUAGES

Row = dict[str, str]

#: Share of chance differences that count as real (Schäfer 2016, table 5).
ALPHA = 0.05


@dataclass(slots=True, frozen=True)
class Results:
    """All measurements.

    Attributes:
        sizes: one row per language.
        curves: language -> scores by threshold.
        folds: (language, classifier) -> one row per fold.
        transfer: scores by model, language judged and threshold.
        merits: language -> feature -> merit.
        gold: what models of the vectors and of gold pages find in each other's blocks; nothing of sets that are absent.
    """

    sizes: dict[str, Row]
    curves: dict[str, list[Row]]
    folds: dict[tuple[str, str], list[Row]]
    transfer: list[Row]
    merits: dict[str, dict[str, float]]
    gold: list[Row]

    @classmethod
    def read(cls, measured: Path) -> "Results":
        """Reads the folder of measurements.

        Raises:
            StageFileError: a file is missing or damaged.
        """
        curves, merits, folds = {}, {}, {}
        for code in LANGUAGES:
            curves[code] = tsv.read(measured / f"curve_{code}.tsv", measuring.CURVE_COLUMNS)
            found = tsv.read(measured / f"merits_{code}.tsv", measuring.MERIT_COLUMNS)
            merits[code] = {row["feature"]: float(row["merit"]) for row in found}
            for name in CLASSIFIERS:
                path = measured / f"classifier_{code}_{file_name(name)}.tsv"
                folds[code, name] = tsv.read(path, measuring.CLASSIFIER_COLUMNS)
        return cls(
            sizes={row["language"]: row for row in tsv.read(measured / "sizes.tsv", measuring.SIZE_COLUMNS)},
            curves=curves,
            folds=folds,
            transfer=tsv.read(measured / "transfer.tsv", measuring.TRANSFER_COLUMNS),
            merits=merits,
            gold=[
                row
                for name in measuring.GOLD_SETS
                for row in tsv.read(measured / f"gold_{name}.tsv", measuring.GOLD_COLUMNS)
            ],
        )

    def baseline(self, language: str) -> float:
        """Share of boilerplate among the blocks of a language."""
        row = self.sizes[language]
        boilerplate, content = int(row["boilerplate_blocks"]), int(row["content_blocks"])
        return boilerplate / (boilerplate + content)


def tables(results: Results) -> list[Table]:
    """Returns all tables."""
    theirs = {row["language"]: row for row in published.table("schaefer.4")}
    return [
        Table(
            "2",
            "Training data",
            "Blocks of each language, and the share that is right if all blocks are called boilerplate.",
            list(_sizes(results, theirs)),
        ),
        Table(
            "3",
            "Thresholds at which precision and recall are equal",
            "The multilayer perceptron, means over ten folds. The threshold depends on how the network was trained.",
            list(_balanced(results, theirs)),
        ),
        Table(
            "4",
            "The multilayer perceptron with a threshold of 0.5",
            "Means over ten folds. PRE is the proportional reduction of error: (correct - baseline) / (1 - baseline).",
            list(_at_half(results, theirs)),
            [
                "The published column F1 repeats recall for all languages but one row of the text; the F1 of the "
                "published precision and recall is: "
                + ", ".join(f"{name} {_f1(row):.3f}" for name, row in theirs.items())
                + "."
            ],
        ),
        Table(
            "5",
            "Classifiers compared, F1",
            "The mean of the F1 of both classes, weighted by their blocks; means over ten folds.",
            list(_classifiers(results, "schaefer.5", "f1")),
            [*_differences(results), "; ".join(f"{name}: {text}" for name, text in MEANINGS.items()) + "."],
        ),
        Table(
            "6",
            "Classifiers compared, processor seconds",
            "Mean time to judge the blocks of a fold. The published times are those of Weka on another machine.",
            list(_classifiers(results, "schaefer.6", "cpu_seconds")),
        ),
        Table(
            "transfer",
            "Models judged on other languages, F1 at 0.5",
            "Rows: the language that a model has learned from. The models of several languages are cross-validated "
            "where they have learned from the language judged; germanic learns from English, German and Swedish.",
            list(_transfers(results)),
        ),
        Table(
            "gold",
            "The vectors and the blocks of gold pages",
            "Blocks of gold pages, cut and measured by this package; a block is text if half of its words are in the "
            "gold text. Each row is a model and what it judges, at 0.5. A set’s own model is judged on hosts that it "
            "has not seen, in two parts. Baseline: what is right if all blocks are called boilerplate.",
            list(_gold(results)),
            list(_gold_notes(results)),
        ),
    ]


def _f1(row: Row) -> float:
    precision, recall = float(row["t05_precision"]), float(row["t05_recall"])
    return 2 * precision * recall / (precision + recall)


def _sizes(results: Results, theirs: dict[str, Row]) -> Iterator[Number]:
    for code, language in LANGUAGES.items():
        row, known = results.sizes[code], theirs[language]
        yield Number(language, "boilerplate", known["boilerplate_blocks"], row["boilerplate_blocks"])
        yield Number(language, "content", known["content_blocks"], row["content_blocks"])
        yield Number(language, "baseline", known["baseline"], f"{results.baseline(code):.3f}")


def balanced(curve: list[Row]) -> Row:
    """Returns the row of a curve in which precision and recall are closest."""
    return min(curve, key=lambda row: (abs(float(row["precision"]) - float(row["recall"])), float(row["threshold"])))


def _balanced(results: Results, theirs: dict[str, Row]) -> Iterator[Number]:
    for code, language in LANGUAGES.items():
        row, known = balanced(results.curves[code]), theirs[language]
        yield Number(language, "threshold", known["balanced_threshold"], row["threshold"])
        yield Number(language, "F1", known["balanced_f1"], f"{float(row['f1']):.3f}")
        yield Number(language, "correct", known["balanced_correct"], f"{float(row['correct']):.3f}")


def _at_half(results: Results, theirs: dict[str, Row]) -> Iterator[Number]:
    for code, language in LANGUAGES.items():
        row = next(row for row in results.curves[code] if row["threshold"] == "0.50")
        known = theirs[language]
        for score, column in (("P", "precision"), ("R", "recall"), ("F1", "f1"), ("correct", "correct")):
            yield Number(language, score, known[f"t05_{column}"], f"{float(row[column]):.3f}")
        baseline = results.baseline(code)
        reduction = (float(row["correct"]) - baseline) / (1 - baseline)
        yield Number(language, "PRE", known["t05_pre"], f"{reduction:.3f}")


def _classifiers(results: Results, table: str, column: str) -> Iterator[Number]:
    """Yields the mean over the folds of a column of each classifier, beside that of a table of the paper."""
    theirs = {row["dataset"]: row for row in published.table(table)}
    for code, language in LANGUAGES.items():
        for name in CLASSIFIERS:
            ours = np.mean(_column(results, code, name, column))
            yield Number(language, name, theirs[language].get(name, ""), f"{ours:.3f}")


def _column(results: Results, language: str, classifier: str, column: str) -> list[float]:
    return [float(row[column]) for row in results.folds[language, classifier]]


def _differences(results: Results) -> Iterator[str]:
    """Yields one sentence per direction: the classifiers that differ from the perceptron, by language."""
    found: dict[str, list[str]] = {"better": [], "worse": []}
    for code, language in LANGUAGES.items():
        reference = _column(results, code, "MLP", "f1")
        names: dict[str, list[str]] = {"better": [], "worse": []}
        for name in CLASSIFIERS:
            ours = _column(results, code, name, "f1")
            if scores.significance(ours, reference) < ALPHA:
                names["better" if np.mean(ours) > np.mean(reference) else "worse"].append(name)
        for direction, those in names.items():
            if those:
                found[direction].append(f"{language} {', '.join(those)}")
    for direction, each in found.items():
        if each:
            yield f"Significantly {direction} than MLP (corrected t-test, {ALPHA:g}): {'; '.join(each)}."


def _transfers(results: Results) -> Iterator[Number]:
    for code, language in LANGUAGES.items():
        own = next(row for row in results.curves[code] if row["threshold"] == "0.50")
        yield Number("the same language", language, "", f"{float(own['f1']):.3f}")
    for row in results.transfer:
        if row["threshold"] == "0.50":
            learned = LANGUAGES.get(row["learned_from"], row["learned_from"])
            yield Number(learned, LANGUAGES[row["judged"]], "", f"{float(row['f1']):.3f}")


def _gold(results: Results) -> Iterator[Number]:
    for row in results.gold:
        title = f"{_name(row['learned_from'])} on {_name(row['judged'])}"
        yield Number(title, "blocks", "", row["blocks"])
        for score, column in (("baseline", "baseline"), ("P", "precision"), ("R", "recall"), ("F1", "f1")):
            yield Number(title, score, "", f"{float(row[column]):.3f}")
        yield Number(title, "correct", "", f"{float(row['correct']):.3f}")


def _gold_notes(results: Results) -> Iterator[str]:
    """Yields, per gold set, what part of the errors of the vectors' model is due to other blocks and labels."""
    rows = {(row["learned_from"], row["judged"]): row for row in results.gold}
    for name, title in measuring.GOLD_SETS.items():
        if (name, name) in rows:
            theirs, own = rows[measuring.VECTORS, name], rows[name, name]
            wrong, own_wrong = (1 - float(row["correct"]) for row in (theirs, own))
            yield (
                f"{title}: {float(theirs['baseline']):.1%} of the blocks are boilerplate. The model of the vectors is "
                f"wrong about {wrong:.1%} of them, one of such pages about {own_wrong:.1%}: the difference is due to "
                "what counts as text there, the rest to what the features show."
            )


def _name(source: str) -> str:
    return {measuring.VECTORS: "the vectors", **measuring.GOLD_SETS, **LANGUAGES}[source]
