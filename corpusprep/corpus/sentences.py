"""Makes each sentence of a document a document of its own, without what leads back to its page.

Corpora of sentences in an order of chance are published where whole texts may not be (Schäfer and Bildhauer 2012, 5).
"""

from collections.abc import Iterator
from typing import Any

from corpusprep.corpus.formats.interface import CorpusDocument
from corpusprep.corpus.structures import DOCUMENT_ATTRIBUTES
from corpusprep.errors import StageFileError
from corpusprep.tables import schemas
from corpusprep.text.vertical import DOCUMENT_END, attributes, escape, unescape
from corpusprep.text.vertical_lines import annotation

#: What a sentence says of its page; all other columns that describe the page are empty.
KEPT_COLUMNS = ("host", "date", "lang", "licence", "rights")
_GLUE = b"<g/>"
_EMPTY: dict[str, Any] = {
    name: "" if dtype == schemas.CORPUS["id"] else None for name, dtype in schemas.CORPUS.items()
} | {"offset": 0, "truncated": False}


def sentences(document: CorpusDocument) -> Iterator[CorpusDocument]:
    """Yields the sentences of a document as documents, with an empty id (`numbered` gives them one).

    The date is cut to the year. Numbers of blocks are 0. Attributes of `<s>`, such as numbers, are left out.

    Args:
        document: with its lines of the vertical, in which `<s>` marks sentences.

    Raises:
        StageFileError: it has tokens, but no sentence is marked.
    """
    marked = False
    for place, (start, lines) in enumerate(_blocks(document.lines)):
        inside: list[bytes] | None = None
        for line in lines:
            if line == b"<s>" or line.startswith(b"<s "):
                inside, marked = [], True
            elif line == b"</s>":
                if inside is not None and (made := _sentence(document, place, start, inside)):
                    yield made
                inside = None
            elif inside is not None:
                inside.append(line)
    if not marked and document.values["tokens"]:
        raise StageFileError(
            f"document {document.values['id']}: no sentences are marked; set tokens: {{sentences: true}}, and run the"
            " workflow again"
        )


def numbered(sentence: CorpusDocument, number: int) -> CorpusDocument:
    """Returns a sentence with its number in the corpus as its id."""
    name = f"{number:016x}"
    return CorpusDocument(
        sentence.values | {"id": name}, sentence.lines.replace(b'<doc id=""', f'<doc id="{name}"'.encode(), 1)
    )


def _blocks(lines: bytes) -> Iterator[tuple[bytes, list[bytes]]]:
    """Yields the start and the lines of each block."""
    start, inside = b"", list[bytes]()
    for line in lines.split(b"\n"):
        if line == b"<p>" or line.startswith(b"<p "):
            start, inside = line, []
        elif line == b"</p>":
            yield start, inside
        else:
            inside.append(line)


def _sentence(document: CorpusDocument, place: int, start: bytes, lines: list[bytes]) -> CorpusDocument | None:
    """Returns a sentence; None for one without tokens.

    Args:
        document: that it is from.
        place: the place of its block in the document.
        start: the line that opens the block.
        lines: its lines.
    """
    lines = [line for line in lines if not _is_structure(line) or line == _GLUE]
    while lines and lines[-1] == _GLUE:
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line != _GLUE), None)
    if first is None:
        return None
    lines = lines[first:]
    text = _text(lines)
    values = _EMPTY | {name: document.values[name] for name in KEPT_COLUMNS}
    values |= {"date": values["date"][:4], "text": text, "words": len(text.split())}
    values |= {"tokens": sum(line != _GLUE for line in lines)}
    values["blocks"] = [document.values["blocks"][place] | {"block": 0}]
    shown = {name: _shown(values.get(name)) for name in DOCUMENT_ATTRIBUTES}
    of_block = attributes(start.decode()) | {"block": "0"}
    written = (_structure("doc", shown), _structure("p", of_block), b"<s>", *lines, b"</s>\n</p>\n")
    whole = b"\n".join(written) + DOCUMENT_END
    if "annotation" in document.values:
        columns = [name for name in document.values["annotation"] if name not in schemas.ANNOTATION]
        values["annotation"] = annotation(whole, columns)
    return CorpusDocument(values, whole)


def _is_structure(line: bytes) -> bool:
    """Returns whether a line is no token, whose `<` is escaped."""
    return line[:1] == b"<" and line[-1:] == b">"


def _structure(name: str, values: dict[str, str]) -> bytes:
    written = " ".join(f'{key}="{escape(value)}"' for key, value in values.items())
    return f"<{name} {written}>".encode()


def _shown(value: Any) -> str:
    """Returns a value as an attribute of the vertical."""
    return "" if value is None else str(int(value)) if isinstance(value, bool) else str(value)


def _text(lines: list[bytes]) -> str:
    """Returns the text of tokens, with spaces where there is no glue."""
    pieces: list[str] = []
    glued = True
    for line in lines:
        if line == _GLUE:
            glued = True
            continue
        if not glued:
            pieces.append(" ")
        pieces.append(unescape(line.partition(b"\t")[0].decode()))
        glued = False
    return "".join(pieces)
