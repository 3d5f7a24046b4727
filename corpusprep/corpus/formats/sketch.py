"""Writes what Sketch Engine and NoSketch Engine need beside the verticals: a registry file, and the pipe it names."""

import re
from collections.abc import Sequence
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusFormat, FinishedCorpus
from corpusprep.io.files import replacing

_HEAD = """NAME "{name}"
PATH "/corpora/{id}/indexed/"
VERTICAL "| sh /corpora/{id}/vertical/pipe.sh /corpora/{id}/vertical/*.vert.zst"
ENCODING "utf-8"
LANGUAGE "{language}"
DOCSTRUCTURE "doc"
SHORTREF "{short}"
FULLREF "{full}"

ATTRIBUTE word
"""
_COLUMN = "ATTRIBUTE {}\n"
_LOWER = """ATTRIBUTE lc {
    LABEL "word (lowercase)"
    DYNAMIC "utf8lowercase"
    DYNLIB "internal"
    ARG1 "C"
    FUNTYPE "s"
    FROMATTR "word"
    TYPE "index"
    TRANSQUERY "yes"
}

"""
_NO_CASE = 'NOLETTERCASE "1"\n\n'
#: Stop lists of languages without capital letters have a few foreign words: up to 4 % have letters with case.
_LEAST_CASED = 0.5
_GLUE = """STRUCTURE g {
    DISPLAYTAG "0"
    DISPLAYBEGIN "_EMPTY_"
}
"""
#: Manatee takes entities as they stand; a quotation mark in a value needs a backslash.
PIPE = r"""#!/bin/sh
zstd -dcq "$@" | sed 's/&quot;/\\"/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
"""


def write(corpus: FinishedCorpus, paths: Sequence[Path]) -> None:
    """Writes the registry file and the pipe."""
    registry_path, pipe_path = paths
    for path, text in ((registry_path, registry(corpus)), (pipe_path, PIPE)):
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")


def registry(corpus: FinishedCorpus) -> str:
    """Returns the registry file of a corpus."""
    from corpusprep.corpus.structures import structures  # with polars, which reading a config does without

    described = structures(corpus.verticals, corpus.block_attributes, corpus.columns, corpus.document_attributes)
    short, full = _references(corpus.verticals)
    parts = [
        _HEAD.format(name=corpus.name, id=corpus_id(corpus.name), language=corpus.language_name, short=short, full=full)
    ]
    parts += map(_COLUMN.format, described.columns)
    parts.append(_LOWER if has_capitals(corpus.model) else _NO_CASE)
    for name, attributes in described.attributes.items():
        inner = "".join(f"    ATTRIBUTE {attribute}\n" for attribute in attributes)
        parts.append(f"STRUCTURE {name} {{\n{inner}}}\n" if inner else f"STRUCTURE {name}\n")
    return "".join([*parts, _GLUE])


def _references(verticals: Sequence[Path]) -> tuple[str, str]:
    """Returns the short reference of a concordance line, and the long one, from attributes that documents have.

    Local files and texts have no host: the short one is then their title, the name of the file, or the identifier.
    """
    from corpusprep.corpus.structures import first_documents

    documents = [document.attributes for document in first_documents(verticals)]
    told = [name for name in ("host", "title") if documents and all(document.get(name) for document in documents)]
    if len({document.get("archive") for document in documents}) == len(documents) > 1:
        told.append("archive")
    full = [name for name in ("url", "date", "title") if any(document.get(name) for document in documents)]
    if not documents:
        told, full = ["host"], ["url", "date", "title"]
    return f"=doc.{[*told, 'id'][0]}", ",".join(f"doc.{name}" for name in full or ["id"])


def has_capitals(model: str) -> bool:
    """Returns whether words of a language have capital letters, by its stop list; True if there is no model."""
    from corpusprep import languages

    words = languages.get(model).stop_list if model else ()
    cased = sum(word.upper() != word.lower() for word in words)
    return cased >= _LEAST_CASED * len(words)


def corpus_id(name: str) -> str:
    """Returns the name of a corpus as query systems take it: small letters of ASCII, digits and `_`."""
    identifier = re.sub("[^a-z0-9_]", "_", name.lower())
    return identifier if identifier[:1].isalpha() else f"c{identifier}"


FORMAT = CorpusFormat(
    "sketch",
    ("registry", "pipe.sh"),
    "For (No)Sketch Engine, beside the vertical: its registry file, and the pipe that the registry names.",
    write,
)
