"""Makes each sentence of a document a document of its own, without what leads back to its page.

Corpora of sentences in an order of chance are published where whole texts may not be (the Leipzig Corpora Collection:
Goldhahn, Eckart and Quasthoff 2012).
"""

import re
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
_GLUE = "<g/>"
_GLUED = re.compile(r"(?:\n<g/>)+\n")
#: Attributes of documents that are never empty.
_SHOWN = {"offset": "0", "truncated": "0"}
#: The columns of a sentence, where they say nothing of its page.
EMPTY: dict[str, Any] = {
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
    of_page = {name: document.values[name] for name in KEPT_COLUMNS}
    of_page["date"] = of_page["date"][:4]
    start, end = _opening(of_page)
    columns = [name for name in document.values.get("annotation", ()) if name not in schemas.ANNOTATION]
    blocks = iter(document.values["blocks"])
    listed: list[dict[str, Any]] = []
    opening = ""
    inside: list[str] | None = None
    for line in document.lines.decode().split("\n"):
        if line[:1] != "<":  # of a token, it is escaped
            if inside is not None:
                inside.append(line)
        elif line == _GLUE:
            if inside:
                inside.append(line)
        elif line == "<s>" or line.startswith("<s "):
            inside, marked = [], True
        elif line == "</s>":
            if inside:
                while inside[-1] == _GLUE:
                    inside.pop()
                values = EMPTY | of_page | {"text": _text(inside), "blocks": listed}
                values["words"] = len(values["text"].split())
                values["tokens"] = len(inside) - inside.count(_GLUE)
                first = f'{start} words="{values["words"]}" tokens="{values["tokens"]}"{end}'
                whole = "\n".join((first, opening, "<s>", *inside, "</s>\n</p>\n")).encode() + DOCUMENT_END
                if "annotation" in document.values:
                    values["annotation"] = annotation(whole, columns)
                yield CorpusDocument(values, whole)
            inside = None
        elif line == "<p>" or line.startswith("<p "):
            listed = [next(blocks) | {"block": 0}]
            opening = _structure("p", attributes(line) | {"block": "0"})
            inside = None
    if not marked and document.values["tokens"]:
        raise StageFileError(
            f"document {document.values['id']}: no sentences are marked; set tokens: {{sentences: true}}, and run the"
            " workflow again"
        )


def numbered(sentence: CorpusDocument, number: int) -> CorpusDocument:
    """Returns a sentence with its number in the corpus as its id, and with all columns; it may lack empty ones."""
    name = f"{number:016x}"
    lines = sentence.lines.replace(b'<doc id=""', f'<doc id="{name}"'.encode(), 1)
    return CorpusDocument({**EMPTY, **sentence.values, "id": name}, lines)


def _opening(of_page: dict[str, str]) -> tuple[str, str]:
    """Returns the line that opens a sentence of a page, as what stands before and behind its words and tokens."""
    line = _structure("doc", {name: of_page.get(name, _SHOWN.get(name, "")) for name in DOCUMENT_ATTRIBUTES})
    start, _, end = line.partition(' words="" tokens=""')
    return start, end


def _structure(name: str, values: dict[str, str]) -> str:
    written = " ".join(f'{key}="{escape(value)}"' for key, value in values.items())
    return f"<{name} {written}>"


def _text(lines: list[str]) -> str:
    """Returns the text of tokens, with spaces where there is no glue."""
    text = "\n".join(lines)
    if "\t" in text:  # columns of a tagger
        text = "\n".join(line.partition("\t")[0] for line in lines)
    return unescape(_GLUED.sub("", text).replace("\n", " "))
