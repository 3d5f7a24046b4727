"""Writes what CQPweb needs beside the verticals: a script that encodes them, and the table of metadata of texts.

CQPweb calls documents `text` and knows them by `text_id`. Its table has a line per text: the identifier, then the
values of columns, which the person who installs the corpus names (Hardie 2016, chapter 6).
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpusprep.corpus.formats import cwb
from corpusprep.corpus.formats.interface import CorpusFormat, FinishedCorpus
from corpusprep.io.files import replacing
from corpusprep.io.progress import track

#: The value of a classification that a text does not have.
NONE = "none"
#: Columns that texts can be divided by, with what they are; their values are letters of ASCII, digits and `_`.
_CLASSIFICATIONS = {"language": "language of the text", "year": "year of the capture"}
#: Columns that CQPweb's table has of itself: a second one of that name is an error of its database.
_TAKEN = frozenset(["text_id", "words", "cqp_begin", "cqp_end"])
_NO_HANDLE = re.compile(r"\W", re.ASCII)


def write(corpus: FinishedCorpus, paths: Sequence[Path]) -> None:
    """Writes the script, the table, and the list of its columns."""
    from corpusprep.corpus.structures import structures  # with polars, which reading a config does without

    attributes = structures(corpus.verticals, (), (), corpus.document_attributes).attributes["doc"]
    free = [name for name in attributes if name not in ("id", "lang")]
    script, table, columns = paths
    with replacing(script) as temporary:
        temporary.write_text(cwb.script(corpus, "text", "CQPweb", "cqpweb.sh"), encoding="utf-8")
    with replacing(table) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines("\t".join(row) + "\n" for row in _rows(corpus.verticals, free))
    with replacing(columns) as temporary:
        rows = [(name, "classification", said) for name, said in _CLASSIFICATIONS.items()]
        handles = (f"document_{name}" if name in _TAKEN else name for name in free)
        rows += [
            (handle, "free text", f"attribute {name} of the document")
            for handle, name in zip(handles, free, strict=True)
        ]
        text = "".join("\t".join(row) + "\n" for row in [("handle", "type", "description"), *rows])
        temporary.write_text(text, encoding="utf-8")


def _rows(verticals: Sequence[Path], free: Sequence[str]) -> Iterator[list[str]]:
    """Yields the metadata of each document: identifier, classifications, attributes."""
    from corpusprep.text.vertical import read_documents

    documents = (document for path in verticals for document in read_documents(path))
    for document in track(documents, "cqpweb: documents"):
        values = document.attributes
        year = values.get("date", "")[:4]
        handles = (_NO_HANDLE.sub("_", value) or NONE for value in (values.get("lang", ""), year))
        yield [values.get("id", ""), *handles, *(values.get(name, "") for name in free)]


FORMAT = CorpusFormat(
    "cqpweb",
    ("cqpweb.sh", "cqpweb-metadata.tsv", "cqpweb-columns.tsv"),
    "For CQPweb, beside the vertical: a script that encodes the corpus for CWB, with documents as `text`, the table of"
    " their metadata, and the names and types of its columns.",
    write,
)
