"""Measures block classifiers on the vectors of a language, and writes the measurements as tables."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from corpusprep.errors import CorpusprepError
from corpusprep.io import tsv
from studies.schaefer_2017 import scores
from studies.schaefer_2017.classifiers import CLASSIFIERS, file_name, perceptron
from studies.schaefer_2017.perceptrons import FEATURES
from studies.schaefer_2017.vectors import LANGUAGES, Vectors, joined, read

#: Languages of the pooled model (Schäfer 2016, 3.2).
GERMANIC = ("en", "de", "sv")
#: Names of the models that learn from several languages -> their languages.
POOLED = {"germanic": GERMANIC, "all": tuple(LANGUAGES)}

#: Gold sets whose blocks, as this package cuts and measures them, are compared with the vectors -> their titles.
GOLD_SETS = {"canola-test": "Canola, test", "cleaneval-final": "CleanEval, final", "l3s-gn1": "L3S-GN1"}
#: What a model has learned from, if it is not a gold set.
VECTORS = "vectors"

CURVE_COLUMNS = ("threshold", "precision", "recall", "f1", "correct")
CLASSIFIER_COLUMNS = ("classifier", "fold", "f1", "cpu_seconds")
TRANSFER_COLUMNS = ("learned_from", "judged", "threshold", "precision", "recall", "f1", "correct")
MERIT_COLUMNS = ("feature", "merit")
GOLD_COLUMNS = ("learned_from", "judged", "blocks", "baseline", "precision", "recall", "f1", "correct")
SIZE_COLUMNS = ("language", "boilerplate_blocks", "content_blocks")


def measure_sizes(data: Path, output: Path) -> None:
    """Writes the number of blocks of each language (table 2).

    Raises:
        StageFileError: the vectors are missing or damaged.
    """
    rows = []
    for language in LANGUAGES:
        labels = read(data, language).boilerplate
        rows.append((language, int(labels.sum()), int((~labels).sum())))
    tsv.write(output, SIZE_COLUMNS, rows)


def measure_curve(data: Path, language: str, output: Path) -> None:
    """Writes the perceptron's scores at each threshold, cross-validated (tables 3 and 4, figure 1).

    Raises:
        StageFileError: the vectors are missing or damaged.
    """
    folds = scores.folds(read(data, language), perceptron, probabilities=True)
    tsv.write(output, CURVE_COLUMNS, ((f"{at:.2f}", *_shown(found_there)) for at, found_there in scores.curve(folds)))


def measure_classifier(data: Path, language: str, classifier: str, output: Path) -> None:
    """Writes a classifier's weighted F1 and processor time, per fold (tables 5 and 6).

    Args:
        data: folder of the evaluation data.
        language: code of the language.
        classifier: its name in files, such as `svm-np`.
        output: the table.

    Raises:
        CorpusprepError: there is no such classifier.
        StageFileError: the vectors are missing or damaged.
    """
    names = {file_name(name): name for name in CLASSIFIERS}
    if classifier not in names:
        raise CorpusprepError(f"there is no classifier {classifier}; there are: {', '.join(names)}")
    name = names[classifier]
    folds = scores.folds(read(data, language), CLASSIFIERS[name])
    rows = (
        (name, number, f"{scores.weighted_f1(fold):.6f}", f"{fold.cpu_seconds:.4f}")
        for number, fold in enumerate(folds)
    )
    tsv.write(output, CLASSIFIER_COLUMNS, rows)


def measure_transfer(data: Path, output: Path) -> None:
    """Writes what perceptrons of one language or of several find in each language (figure 2).

    A model that has learned from a language is not judged on it, except those of several languages: they are
    cross-validated there, and each learns from all blocks of its other languages.

    Raises:
        StageFileError: the vectors are missing or damaged.
    """
    vectors = {language: read(data, language) for language in LANGUAGES}
    tsv.write(output, TRANSFER_COLUMNS, _transfers(vectors))


def _transfers(vectors: dict[str, Vectors]) -> Iterable[tuple[str, ...]]:
    for language, own in vectors.items():
        classifier = scores.trained(own, perceptron)
        for judged, other in vectors.items():
            if judged != language:
                called = scores.called_by(classifier, other.features, probabilities=True)
                yield from _curve(language, judged, [scores.Fold(other.boilerplate, called, 0)])
    for name, languages in POOLED.items():
        for judged, other in vectors.items():
            rest = [vectors[language] for language in languages if language != judged]
            if judged in languages:
                yield from _curve(name, judged, _with_rest(other, joined(rest)))
            else:
                called = scores.called_by(scores.trained(joined(rest), perceptron), other.features, probabilities=True)
                yield from _curve(name, judged, [scores.Fold(other.boilerplate, called, 0)])


def _with_rest(vectors: Vectors, rest: Vectors) -> list[scores.Fold]:
    """Cross-validates on the vectors; every fold learns from the rest, too."""
    from sklearn.model_selection import StratifiedKFold

    folds = []
    splits = StratifiedKFold(scores.FOLDS, shuffle=True, random_state=0).split(vectors.features, vectors.boilerplate)
    for learned, judged in splits:
        own = Vectors(vectors.features[learned], vectors.boilerplate[learned])
        called = scores.called_by(scores.trained(joined([own, rest]), perceptron), vectors.features[judged], True)
        folds.append(scores.Fold(vectors.boilerplate[judged], called, 0))
    return folds


def _curve(name: str, judged: str, folds: list[scores.Fold]) -> Iterable[tuple[str, ...]]:
    for threshold, there in scores.curve(folds):
        yield name, judged, f"{threshold:.2f}", *_shown(there)


def measure_merits(data: Path, language: str, output: Path) -> None:
    """Writes each feature's merit: what a perceptron of this feature alone is right in, beyond the baseline (figure 3).

    Raises:
        StageFileError: the vectors are missing or damaged.
    """
    vectors = read(data, language)
    rows = []
    for number, name in enumerate(FEATURES):
        alone = Vectors(np.ascontiguousarray(vectors.features[:, [number]]), vectors.boilerplate)
        correct = scores.at(scores.folds(alone, perceptron, probabilities=True), 0.5).correct
        rows.append((name, f"{correct - vectors.baseline:.6f}"))
    tsv.write(output, MERIT_COLUMNS, rows)


def _shown(values: scores.Scores) -> tuple[str, ...]:
    return tuple(f"{score:.6f}" for score in (values.precision, values.recall, values.f1, values.correct))
