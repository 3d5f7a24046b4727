"""What structures, attributes and columns a vertical has, for programs that must be told."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from corpusprep.tables import schemas
from corpusprep.text.vertical import DocumentAttributes, VerticalDocument, read_documents

#: The attributes of documents, in order.
DOCUMENT_ATTRIBUTES = (*DocumentAttributes._fields, "words", "tokens", *schemas.PAGE_METADATA, "truncated")
BLOCK_ATTRIBUTES = ("heading", "block")
#: Documents at the beginning of a vertical that show what a tagger has added.
SEEN_DOCUMENTS = 100
_TAG = re.compile(rb"^<([A-Za-z_][\w.-]*)([^>]*)>$", re.MULTILINE)
#: A whole attribute: the value of one, such as an address, may end as the name of another does (`&x=`).
_ATTRIBUTE = re.compile(rb'\s([A-Za-z_][\w.-]*)="[^"]*"')


@dataclass(frozen=True, slots=True)
class Structures:
    """Structures with their attributes, without glue, in the order of what holds what; and further columns.

    Attributes:
        attributes: structure -> its attributes: `doc`, `p`, then the tagger's, by name.
        columns: names of the columns of the tokens beside the form; `column2` and so on where they are not known.
    """

    attributes: dict[str, tuple[str, ...]]
    columns: tuple[str, ...]


def structures(
    verticals: Iterable[Path],
    block_attributes: Sequence[str] = (),
    columns: Sequence[str] = (),
    document_attributes: Sequence[str] = (),
) -> Structures:
    """Returns the structures of verticals; what a tagger has added is looked for in their first documents.

    Args:
        verticals: of a corpus, in order.
        block_attributes: further attributes of blocks that the corpus has.
        columns: names of its columns, as far as they are known.
        document_attributes: further attributes of its documents, beside those that the first documents have.

    Raises:
        StageFileError: a vertical cannot be read.
    """
    found: dict[str, dict[str, None]] = {
        "doc": dict.fromkeys((*DOCUMENT_ATTRIBUTES, *document_attributes)),
        "p": dict.fromkeys((*BLOCK_ATTRIBUTES, *block_attributes)),
    }
    added: dict[str, dict[str, None]] = {}
    most = len(columns)
    for document in first_documents(verticals):
        for text in (document.start, *document.blocks):
            for name, attributes in _TAG.findall(text):
                structure = name.decode()
                if structure != "g":
                    known = found.get(structure) or added.setdefault(structure, {})
                    known |= dict.fromkeys(attribute.decode() for attribute in _ATTRIBUTE.findall(attributes))
        for block in document.blocks:
            most = max(most, max((line.count(b"\t") for line in block.split(b"\n") if line[:1] != b"<"), default=0))
    names = tuple(columns[number] if number < len(columns) else f"column{number + 2}" for number in range(most))
    in_order = found | {name: added[name] for name in sorted(added)}
    return Structures({name: tuple(attributes) for name, attributes in in_order.items()}, names)


def first_documents(verticals: Iterable[Path]) -> Iterator[VerticalDocument]:
    """Yields the first documents of a corpus, which show what all have."""
    return islice((document for path in verticals for document in read_documents(path)), SEEN_DOCUMENTS)
