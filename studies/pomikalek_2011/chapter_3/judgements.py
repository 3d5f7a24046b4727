"""Measures comparators against human judgements: precision, recall and F1 of pairs called duplicates, by threshold.

`neardup-dev`: pairs of news articles and Web pages that share n-grams, judged as near-duplicates or not (Fröbe et
al., ECIR 2020). `clough-stevenson`: short answers to five tasks, each paired with the source of its task. Near copies
(cut), light revisions and heavy revisions reuse the source (Clough and Stevenson 2011).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep import languages
from corpusprep.gold.scores import Counts, scores
from corpusprep.io import tsv
from corpusprep.languages.labelled_texts import unpacked
from corpusprep.reuse.comparator import Comparator
from corpusprep.reuse.documents import Documents
from corpusprep.reuse.reading import InputError, read_texts
from corpusprep.text.made_tokenizer import built_in_tokenizer

COLUMNS = (
    "set", "part", "comparator", "threshold", "true_positives", "false_positives", "false_negatives", "precision",
    "recall", "f1", "data",
)  # fmt: skip
BEST_COLUMNS = (
    "set", "part", "pairs", "duplicates", "comparator", "threshold", "precision", "recall", "f1", "chosen_on",
)  # fmt: skip
SETS = ("neardup-dev", "clough-stevenson")
#: Set -> the part for choosing a threshold, the part for measuring. Other sets use the same part for both.
HELD_OUT = {"clough-stevenson": ("dev", "heldout")}
ALL = "all"


@dataclass(slots=True, frozen=True, eq=False)
class JudgedSet:
    """Documents and judged pairs of them.

    Attributes:
        name: name of the set.
        documents: without punctuation, in lower case.
        first: int64, shape (pairs,), the earlier document of each pair.
        second: int64, shape (pairs,), the later one.
        duplicate: bool, shape (pairs,): the judgement.
        parts: part of the set -> bool, shape (pairs,); ALL has all pairs.
        data: SHA-256 of the archive.
    """

    name: str
    documents: Documents
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    duplicate: NDArray[np.bool_]
    parts: Mapping[str, NDArray[np.bool_]]
    data: str


@dataclass(slots=True, frozen=True)
class Measured:
    """Counts of a comparator on a part of a set at a threshold."""

    part: str
    comparator: str
    threshold: float
    counts: Counts


def read_sets(data: Path, names: Iterable[str] = SETS) -> list[JudgedSet]:
    """Reads the named sets whose archives `<data>/<set>.tar.xz` exist.

    Raises:
        InputError: none exists.
        ArchiveError: an archive cannot be unpacked.
        StageFileError: its tables are not the expected ones.
    """
    wanted = list(names)
    judged_sets = []
    for name in wanted:
        if (data / f"{name}.tar.xz").exists():
            with unpacked(data, name) as (folder, digest):
                judged_sets.append(_judged(name, digest, list(_READERS[name](folder))))
    if not judged_sets:
        raise InputError(f"{data}: no {' or '.join(f'{name}.tar.xz' for name in wanted)} in this folder")
    return judged_sets


def measure(judged: JudgedSet, comparator: Comparator) -> Iterator[Measured]:
    """Yields counts at each of the comparator's thresholds, for every part.

    A pair is called a duplicate if its score reaches the threshold. A pair that the comparator does not find has no
    score.
    """
    score_of_pair = comparator.find(judged.documents, comparator.thresholds[0]).scores()
    pairs = zip(judged.first.tolist(), judged.second.tolist(), strict=True)
    score = np.array([score_of_pair.get(pair, -1.0) for pair in pairs])
    for part, mask in judged.parts.items():
        for threshold in comparator.thresholds:
            called = (score >= threshold) & mask
            right = int(np.count_nonzero(called & judged.duplicate))
            wanted = int(np.count_nonzero(judged.duplicate & mask))
            counts = Counts(right, int(np.count_nonzero(called)) - right, wanted - right)
            yield Measured(part, comparator.name, threshold, counts)


def best(measured: Iterable[Measured], part: str) -> dict[str, Measured]:
    """Returns comparator -> its counts on a part at the threshold with the highest F1; ties: the highest threshold."""
    chosen: dict[str, Measured] = {}
    for row in measured:
        if row.part == part:
            other = chosen.get(row.comparator)
            if other is None or scores(row.counts).f1 >= scores(other.counts).f1:
                chosen[row.comparator] = row
    return chosen


def write(data: Path, comparators: Iterable[Comparator], output: Path) -> None:
    """Writes judgements.tsv, one row per set, part, comparator and threshold, and judgements_best.tsv.

    judgements_best.tsv has each comparator at the threshold with the highest F1 on the part `chosen_on`. The scores are
    too high if this is also the part that they are measured on.
    """
    rows: list[tuple[tsv.Cell, ...]] = []
    best_rows: list[tuple[tsv.Cell, ...]] = []
    several = list(comparators)
    for judged in read_sets(data):
        measured = [row for comparator in several for row in measure(judged, comparator)]
        for row in measured:
            figures = scores(row.counts)
            percents = _percents(figures.precision, figures.recall, figures.f1)
            names = (judged.name, row.part, row.comparator, f"{row.threshold:.4f}")
            rows.append((*names, *row.counts, *percents, judged.data))
        choice = [(part, part) for part in judged.parts]
        if judged.name in HELD_OUT:
            choice.append(HELD_OUT[judged.name])
        for chosen_on, part in choice:
            at = {(row.comparator, row.threshold): row for row in measured if row.part == part}
            mask = judged.parts[part]
            sizes = (int(mask.sum()), int((judged.duplicate & mask).sum()))
            for name, chosen in best(measured, chosen_on).items():
                figures = scores(at[name, chosen.threshold].counts)
                percents = _percents(figures.precision, figures.recall, figures.f1)
                best_rows.append((judged.name, part, *sizes, name, f"{chosen.threshold:.4f}", *percents, chosen_on))
    tsv.write(output / "judgements.tsv", COLUMNS, rows)
    tsv.write(output / "judgements_best.tsv", BEST_COLUMNS, best_rows)


def _percents(*values: float) -> tuple[str, ...]:
    return tuple(f"{value:.2f}" for value in values)


#: A judged pair: two files, whether they are duplicates, and a part of the set.
_Pair = tuple[Path, Path, bool, str]


def _near_duplicates(folder: Path) -> Iterator[_Pair]:
    for row in tsv.read(folder / "pairs.tsv", ("subset", "id_a", "id_b", "label")):
        pair = folder / row["subset"] / f"{row['id_a']}_vs_{row['id_b']}"
        yield pair / f"{row['id_a']}.txt", pair / f"{row['id_b']}.txt", row["label"] != "0", row["subset"]


def _short_answers(folder: Path) -> Iterator[_Pair]:
    for part in ("dev", "heldout"):
        lines = (folder / "splits" / f"{part}.txt").read_text(encoding="utf-8").splitlines()
        for line in filter(None, lines):
            name, task, kind = line.split(",")
            if kind != "orig":
                yield folder / f"orig_task{task}.txt", folder / name, kind != "non", part


_READERS = {"neardup-dev": _near_duplicates, "clough-stevenson": _short_answers}


def _judged(name: str, digest: str, pairs: list[_Pair]) -> JudgedSet:
    model = languages.get("en")
    tokenizer = built_in_tokenizer(model)
    files: dict[str, tuple[int, Path]] = {}  # a document of several pairs is one document
    for pair in pairs:
        for path in pair[:2]:
            files.setdefault(path.name, (len(files), path))
    texts = [(path.name, read_texts(path, tokenizer)) for _, path in files.values()]
    documents = Documents.from_tokens(
        [(stem, [token.lower() for text in texts_of_file for token in text.tokens]) for stem, texts_of_file in texts],
        lines=[[line for text in texts_of_file for line in text.lines or ()] for _, texts_of_file in texts],
    ).without_punctuation()
    numbers = np.array([[files[one.name][0], files[other.name][0]] for one, other, _, _ in pairs], np.int64)
    parts = np.array([part for *_, part in pairs])
    masks = {ALL: np.ones(len(pairs), np.bool_)} | {part: parts == part for part in dict.fromkeys(parts.tolist())}
    duplicate = np.array([duplicate for _, _, duplicate, _ in pairs])
    return JudgedSet(name, documents, numbers.min(axis=1), numbers.max(axis=1), duplicate, masks, digest)
