"""Finds the source of a text and the reused passages (Pomikálek 2011, 3.2.6; the task of Suchomel 2015)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corpusprep.gold.scores import Counts
from corpusprep.io import named_files
from corpusprep.reuse.documents import Documents
from corpusprep.reuse.intervals import ValidIntervals, covered
from corpusprep.reuse.reading import InputError, Text, read_texts
from corpusprep.text.tokenizer import Tokenizer

#: Values of the attribute `class` in the task's documents.
_ORIGINAL, _PLAGIARISM = "original", "plagiarism"


class Passage(NamedTuple):
    """A passage of a text and its source; ends are exclusive.

    Positions count from 0: characters in a plain text, tokens in a vertical.
    """

    begin: int
    end: int
    source_begin: int
    source_end: int
    chunks: int  # distinct chunks in both


@dataclass(slots=True, frozen=True)
class Candidate:
    """A suspicious document or a source.

    Attributes:
        id: the attribute `id`, or the number of the document in its file, from 1.
        author: the attribute `author`; the pair of author and id is unique.
        source: the id of the true source, "" if it has none, None if that is not known.
        place: the file or folder and the document's number; equal only for the same document.
        text: its tokens.
    """

    id: str
    author: str
    source: str | None
    place: tuple[Path, int]
    text: Text


@dataclass(slots=True, frozen=True)
class Detection:
    """The source found for a suspicious document.

    Attributes:
        document: the document.
        source: the source of most of it, or None.
        passages: the passages taken from it, in the document's order.
    """

    document: Candidate
    source: Candidate | None
    passages: tuple[Passage, ...]

    @property
    def right(self) -> bool:
        """Whether the source is the true one."""
        return (
            self.source is not None
            and self.source.id == self.document.source
            and self.source.author in ("", self.document.author)
        )


def read(
    suspicious: Path, sources: Path, tokenizer: Tokenizer, truth: Mapping[str, str] | None = None
) -> tuple[list[Candidate], list[Candidate]]:
    """Reads the suspicious documents and the sources.

    The attribute `class` decides if present: originals are not suspicious, and plagiarisms are not sources.

    Args:
        suspicious: a vertical, a text or a folder, as for read_texts.
        sources: the same; can be the same file.
        tokenizer: for plain texts.
        truth: the id of the true source of each suspicious id, "" for none; None takes the attribute `source`.

    Raises:
        InputError: a file cannot be read, there is nothing to compare, or `truth` names no known document.
    """
    reused = [candidate for candidate in _candidates(suspicious, tokenizer, truth) if _class(candidate) != _ORIGINAL]
    offered = [candidate for candidate in _candidates(sources, tokenizer, None) if _class(candidate) != _PLAGIARISM]
    for path, candidates, wanted in ((suspicious, reused, "suspicious document"), (sources, offered, "source")):
        if not candidates:
            raise InputError(f"{path}: no {wanted} in it")
    for names, candidates, what in (
        ([*(truth or {})], reused, "suspicious documents"),
        ([*filter(None, (truth or {}).values())], offered, "sources"),
    ):
        known = {candidate.id for candidate in candidates}
        if names and known.isdisjoint(names):
            raise InputError(
                f"the table of true sources belongs to other documents: none of the {what} has the id {names[0]}; "
                f"one of their ids is {candidates[0].id}"
            )
    return reused, offered


def read_truth(path: Path) -> dict[str, str]:
    """Reads the true source of each document: lines of an id, a tab and the source's id; `-` or nothing for none.

    Raises:
        InputError: the file cannot be read, or a line does not have two cells.
    """
    try:
        lines = named_files.read(path).decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    truth = {}
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if line and len(cells) != 2:
            raise InputError(f"{path}: line {number} is not an id, a tab and a source's id")
        if line:
            truth[cells[0]] = "" if cells[1] == "-" else cells[1]
    return truth


def detect(
    suspicious: Sequence[Candidate], sources: Sequence[Candidate], comparator: ValidIntervals | None = None
) -> list[Detection]:
    """Returns the source of each suspicious document: the first one whose passages cover most of it.

    Words are compared in lower case, without punctuation. No document is its own source.
    """
    candidates = [*suspicious, *sources]
    documents = Documents.from_tokens((c.id, map(str.lower, c.text.tokens)) for c in candidates).without_punctuation()
    first_ones = np.arange(len(candidates)) < len(suspicious)
    passages: dict[int, dict[int, list[Passage]]] = {}
    for row in (comparator or ValidIntervals()).between(documents, first_ones).rows:
        assert row.passages is not None
        for first, second, begin, end, source_begin, source_end, chunks in np.transpose(row.passages).tolist():
            document, source = candidates[first], candidates[second]
            if document.place != source.place:
                places = *_place(document.text, begin, end), *_place(source.text, source_begin, source_end)
                passages.setdefault(first, {}).setdefault(second, []).append(Passage(*places, chunks))
    detections = []
    for number, document in enumerate(suspicious):
        by_source = passages.get(number, {})
        if not by_source:
            detections.append(Detection(document, None, ()))
            continue
        shares = {source: covered([passage[:2] for passage in shared]) for source, shared in by_source.items()}
        best = max(shares, key=lambda source: (shares[source], -source))
        detections.append(Detection(document, candidates[best], tuple(sorted(by_source[best]))))
    return detections


def too_short(candidates: Sequence[Candidate], least_words: int) -> int:
    """Returns how many documents have fewer words than a passage takes."""
    documents = Documents.from_tokens((c.id, map(str.lower, c.text.tokens)) for c in candidates).without_punctuation()
    return int((documents.sizes < least_words).sum())


def counts(detections: Sequence[Detection]) -> Counts | None:
    """Returns true positives, false positives and false negatives; None if no true source is known.

    Documents without a known source do not count.
    """
    known = [detection for detection in detections if detection.document.source is not None]
    if not known:
        return None
    right = sum(detection.right for detection in known)
    detected = sum(detection.source is not None for detection in known)
    wanted = sum(detection.document.source != "" for detection in known)
    return Counts(right, detected - right, wanted - right)


def _candidates(path: Path, tokenizer: Tokenizer, truth: Mapping[str, str] | None) -> Iterator[Candidate]:
    for number, text in enumerate(read_texts(path, tokenizer)):
        names = text.attributes
        name = names.get("id") or str(number + 1)
        if truth is not None:
            source = truth.get(name)
        else:
            source = names.get("source")
            source = "" if source == name else source
        yield Candidate(name, names.get("author", ""), source, (path.resolve(), number), text)


def _class(candidate: Candidate) -> str:
    return candidate.text.attributes.get("class", "")


def _place(text: Text, begin: int, end: int) -> tuple[int, int]:
    """Returns the positions of tokens begin to end, in the unit of the text."""
    return (begin, end) if text.spans is None else (text.spans[begin][0], text.spans[end - 1][1])
