"""Makes the table of the lecture's task: precision, recall and F1 of detected sources."""

from collections.abc import Iterator

from corpusprep.gold.scores import Counts, scores
from studies.comparison import Number, Table
from studies.lecture_reuse.detection import KINDS, PARTS, SET, SETTINGS
from studies.lecture_reuse.results import Results, Row
from studies.study import Study

_TITLE = "Detected sources of reused texts"
_NO_SOURCE = "non"
_KINDS = dict(zip(KINDS, ("near copies", "light revisions", "heavy revisions", "no reuse"), strict=True))
_Setting = tuple[str, str]


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    rows: dict[tuple[_Setting, str], list[Row]] = {}
    for row in results.detected:
        rows.setdefault(((row["n"], row["least"]), row["part"]), []).append(row)
    default = str(SETTINGS[0][0]), str(SETTINGS[0][1])
    # Of equal settings, the one with the longest passages.
    chosen = max(
        (setting for setting, part in rows if part == PARTS[0]),
        key=lambda setting: (scores(_counts(rows[setting, PARTS[0]])).f1, int(setting[0]) + int(setting[1])),
    )
    numbers = [
        number
        for label, setting in (("by default", default), (f"chosen on {PARTS[0]}", chosen))
        for part in PARTS
        for number in _numbers(f"{label}, {part}", setting, rows[setting, part])
    ]
    about = (
        "The source that corpusprep finds for each answer among five articles, by passages with enough chunks "
        "of n words in common. Precision, recall and F1 from 0 to 1, as the lecture’s task prints them; below the "
        "kinds of reuse, the answers whose source is right, of all of the kind. The lecture has no numbers: each "
        "student’s program was run on the texts of others."
    )
    notes = [
        f"The setting with the highest F1 on the part {PARTS[0]}: passages of {chosen[1]} chunks of {chosen[0]} words. "
        f"The defaults, {default[1]} chunks of {default[0]}, suit long documents: an answer has about 200 words."
    ]
    yield Table("lecture 6", _TITLE, about, numbers, notes)


def _counts(rows: list[Row]) -> Counts:
    """Returns true positives, false positives and false negatives of a setting on a part."""
    right = sum(int(row["right"]) for row in rows)
    detected = sum(int(row["detected"]) for row in rows)
    wanted = sum(int(row["documents"]) for row in rows if row["kind"] != _NO_SOURCE)
    return Counts(right, detected - right, wanted - right)


def _numbers(label: str, setting: _Setting, rows: list[Row]) -> Iterator[Number]:
    figures = scores(_counts(rows))
    yield Number(label, "n", "", setting[0])
    yield Number(label, "chunks", "", setting[1])
    for name, value in (("P", figures.precision), ("R", figures.recall), ("F1", figures.f1)):
        yield Number(label, name, "", f"{value / 100:.2f}")
    for row in rows:
        if row["kind"] == _NO_SOURCE:
            yield Number(label, f"{_KINDS[_NO_SOURCE]}: detected", "", f"{row['detected']} of {row['documents']}")
        else:
            yield Number(label, _KINDS[row["kind"]], "", f"{row['right']} of {row['documents']}")


STUDY = Study("Section 6", _TITLE, "6", make, needs=(SET,))
