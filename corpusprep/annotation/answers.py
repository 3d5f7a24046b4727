"""Checks what an annotator says of a document: its tokens and structures, with the declared columns."""

import re
from collections.abc import Callable, Iterator

from corpusprep.errors import CorpusprepError
from corpusprep.text.validation import TAG
from corpusprep.text.vertical import GLUE

_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)")
#: Structures that only the stage `tokens` writes.
_OWN = frozenset({"doc", "p", "g"})
_SHOWN = 60  # bytes of a line that errors show


class AnswerError(CorpusprepError):
    """An annotator has not kept a line of its document."""

    def __init__(self, line: int, message: str) -> None:
        """An error at a line of the document, from 1 (`<doc …>`)."""
        super().__init__(message)
        self.line = line


class UnansweredError(AnswerError):
    """The answer ends within the document."""


def checked(document: bytes, read_line: Callable[[], bytes], columns: int) -> bytes:
    """Returns the annotated document: the lines of `document`, with further columns and structures.

    `<`, `>` and `&` in further columns are escaped where the annotator has not done so.

    Args:
        document: its lines of the vertical, from `<doc …>` to `</doc>`.
        read_line: reads the next line of the answer, with its line feed; an empty one at the end.
        columns: columns beside the word.

    Raises:
        UnansweredError: the answer ends before the document.
        AnswerError: a line is missing, changed, or has other columns; an added structure is not well-formed.
    """
    return b"".join(_lines(document, read_line, columns))


def _lines(document: bytes, read_line: Callable[[], bytes], columns: int) -> Iterator[bytes]:
    opened: list[str] = []
    for number, line in enumerate(document[:-1].split(b"\n"), start=1):
        line += b"\n"
        structure = line.startswith(b"<")
        while True:
            answer = read_line()
            if answer == line and structure:
                if answer != GLUE:
                    _nest(opened, answer, number)
                yield answer
                break
            if not answer.endswith(b"\n"):
                raise UnansweredError(number, f"the answer ends; {_shown(line)} should follow")
            if not answer.startswith(b"<"):
                if structure:
                    raise AnswerError(number, f"{_shown(answer)} stands where the line {_shown(line)} was")
                yield _token(answer, line[:-1], columns, number)
                break
            _nest(opened, answer, number, added=True, instead=line)
            yield answer


def _token(answer: bytes, token: bytes, columns: int, number: int) -> bytes:
    """Returns the line of a token, with its further columns escaped."""
    values = answer[:-1].split(b"\t")
    if values[0] != token:
        raise AnswerError(number, f"{_shown(answer)} stands where the token {_shown(token)} was")
    if len(values) != columns + 1:
        raise AnswerError(
            number, f"{_shown(answer)} has {len(values)} columns; with the word, {columns + 1} were declared"
        )
    if not all(values):
        raise AnswerError(number, f"{_shown(answer)} has an empty column; write a sign, such as -")
    further = answer[len(token) :]
    if not further.isascii():
        try:
            further.decode()
        except UnicodeDecodeError:
            raise AnswerError(number, f"{_shown(answer)} is not UTF-8") from None
    if b"&" in further or b"<" in further or b">" in further:
        further = _ENTITY.sub(b"&amp;", further).replace(b"<", b"&lt;").replace(b">", b"&gt;")
        return token + further
    return answer


def _nest(opened: list[str], line: bytes, number: int, *, added: bool = False, instead: bytes = b"") -> None:
    """Notes that a structure begins or ends."""
    try:
        tag = TAG.fullmatch(line[:-1].decode())
    except UnicodeDecodeError:
        tag = None
    if tag is None:
        raise AnswerError(number, f"{_shown(line)} is neither a structure nor a token")
    end, name, _, empty = tag.groups()
    if added and (name in _OWN or "p" not in opened):
        raise AnswerError(number, f"{_shown(line)} stands where {_shown(instead)} was")
    if empty:
        return
    if not end:
        if name in opened:
            raise AnswerError(number, f"{_shown(line)} stands inside another <{name}>")
        opened.append(name)
    elif opened and opened[-1] == name:
        opened.pop()
    else:
        inner = f"<{opened[-1]}>" if opened else "nothing"
        raise AnswerError(number, f"{_shown(line)} stands inside {inner}")


def _shown(line: bytes) -> str:
    return repr(line.rstrip(b"\n")[:_SHOWN].decode("utf-8", "replace"))
