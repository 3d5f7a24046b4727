"""Measures the task of the lecture: the source of each suspicious text, with the product's detection of reuse.

The texts are from Clough and Stevenson 2011 (`clough-stevenson`): 95 short answers, near copies (cut), light and
heavy revisions of five articles, and answers that reuse none (non). The set is divided into `dev` and `heldout`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpusprep import languages
from corpusprep.io import tsv
from corpusprep.languages.labelled_texts import unpacked
from corpusprep.reuse.intervals import ValidIntervals
from corpusprep.reuse.reading import read_texts
from corpusprep.reuse.sources import Candidate, detect
from corpusprep.text.made_tokenizer import built_in_tokenizer
from corpusprep.text.tokenizer import Tokenizer

SET = "clough-stevenson"
COLUMNS = ("n", "least", "part", "kind", "documents", "detected", "right", "data")
#: Words in a chunk, and the fewest chunks of a passage. The first pair is the default of `corpusprep check reuse`.
SETTINGS = ((5, 20), *((n, least) for n in (3, 4, 5) for least in (1, 2, 3, 5, 10, 20) if (n, least) != (5, 20)))
PARTS = ("dev", "heldout")
KINDS = ("cut", "light", "heavy", "non")


@dataclass(slots=True, frozen=True)
class Answer:
    """A suspicious text, with its part of the set and how it reuses its source."""

    text: Candidate
    part: str
    kind: str


def write(data: Path, output: Path) -> None:
    """Writes a table with one row per setting, part and kind of reuse.

    Args:
        data: the folder with `clough-stevenson.tar.xz`.
        output: the table.

    Raises:
        ArchiveError: the set is missing or cannot be unpacked.
    """
    with unpacked(data, SET) as (folder, digest):
        answers, sources = read(folder)
        tsv.write(output, COLUMNS, [(*row, digest) for row in measure(answers, sources)])


def read(folder: Path) -> tuple[list[Answer], list[Candidate]]:
    """Returns the answers, and the articles that they may reuse."""
    model = languages.get("en")
    tokenizer = built_in_tokenizer(model)
    answers, sources = [], {}
    for part in PARTS:
        for line in filter(None, (folder / "splits" / f"{part}.txt").read_text(encoding="utf-8").splitlines()):
            name, task, kind = line.split(",")
            source = f"orig_task{task}.txt"
            sources[source] = _candidate(folder / source, None, tokenizer)
            if kind != "orig":
                text = _candidate(folder / name, "" if kind == "non" else source, tokenizer)
                answers.append(Answer(text, part, kind))
    return answers, [sources[name] for name in sorted(sources)]


def _candidate(path: Path, source: str | None, tokenizer: Tokenizer) -> Candidate:
    (text,) = read_texts(path, tokenizer)
    return Candidate(path.name, "", source, (path, 0), text)


def measure(answers: Sequence[Answer], sources: Sequence[Candidate]) -> Iterator[tuple[tsv.Cell, ...]]:
    """Yields per setting, part and kind: its answers, those with a detected source, and those with the true one."""
    for n, least in SETTINGS:
        detections = detect([answer.text for answer in answers], sources, ValidIntervals(n, least))
        for part in PARTS:
            for kind in KINDS:
                own = [
                    detection
                    for answer, detection in zip(answers, detections, strict=True)
                    if (answer.part, answer.kind) == (part, kind)
                ]
                detected = sum(detection.source is not None for detection in own)
                yield n, least, part, kind, len(own), detected, sum(detection.right for detection in own)
