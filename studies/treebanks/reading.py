"""Reads tokens and sentences of treebanks in CoNLL-U, as places in their text."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpusprep.errors import StageFileError

#: A token, as the places of its first character and of the one behind its last.
Span = tuple[int, int]
_APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence.

    Attributes:
        text: as it was written, with single spaces.
        tokens: in order.
        begins_paragraph: whether a paragraph or document begins with it.
    """

    text: str
    tokens: list[Span]
    begins_paragraph: bool


def read(path: Path) -> Iterator[Sentence]:
    """Yields the sentences of a treebank.

    The tokens are the words of Universal Dependencies where these are parts of the text that an apostrophe divides
    (`do` and `n't`), and otherwise the tokens as they are written (`im`, although the treebank has the words `in` and
    `dem`).

    Raises:
        StageFileError: the file is no CoNLL-U, or has a sentence without `# text`.
    """
    text, begins, rows = "", True, []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise StageFileError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    for number, line in enumerate(lines, start=1):
        if line.startswith("# text = "):
            text = " ".join(line.removeprefix("# text = ").split())
        elif line.startswith(("# newdoc", "# newpar")):
            begins = True
        elif line and not line.startswith("#"):
            rows.append(line.split("\t"))
            if len(rows[-1]) != 10:
                raise StageFileError(f"{path}: line {number}: {len(rows[-1])} columns instead of 10; give CoNLL-U")
        elif not line and rows:
            tokens = spans_of(text, list(_written(rows)))
            if tokens is None:
                raise StageFileError(f"{path}: line {number}: the tokens before it are not the tokens of `# text`")
            yield Sentence(text, tokens, begins)
            text, begins, rows = "", False, []


def _written(rows: list[list[str]]) -> Iterator[str]:
    """Yields the tokens of a sentence."""
    words = {row[0]: row[1] for row in rows}
    covered = 0  # the last word of a token of several
    for row in rows:
        first, several, last = row[0].partition("-")
        if several:
            parts = [words[str(number)] for number in range(int(first), int(last) + 1)]
            divided = "".join(parts) == row[1] and any(mark in row[1] for mark in _APOSTROPHES)
            yield from parts if divided else [row[1]]
            covered = int(last)
        elif "." not in first and int(first) > covered:
            yield row[1]


def spans_of(text: str, tokens: list[str]) -> list[Span] | None:
    """Returns the places of tokens, which may have spaces, in a text; None if they are not its tokens."""
    spans, place = [], 0
    for token in tokens:
        while text[place : place + 1] == " ":
            place += 1
        start = place
        for character in "".join(token.split()):
            while text[place : place + 1] == " ":
                place += 1
            if text[place : place + 1] != character:
                return None
            place += 1
        spans.append((start, place))
    return spans if not text[place:].strip() else None
