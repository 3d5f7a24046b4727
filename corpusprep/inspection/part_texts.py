"""Writes the documents of a part of a corpus for programs that people open by hand: text files, or one sheet."""

import csv
import hashlib
import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from corpusprep.errors import ConfigError
from corpusprep.inspection.numbered_tokens import whole_pieces
from corpusprep.inspection.subcorpora import DOCUMENTS, Part, attribute
from corpusprep.inspection.word_lists import Corpus
from corpusprep.io.files import replacing, scratch
from corpusprep.io.readable import printable
from corpusprep.io.sheets import guarded
from corpusprep.tables.reading import TablePieces
from corpusprep.text.vertical import attributes, unescape

#: Characters that a cell of a spreadsheet program holds.
LONGEST_CELL = 32_767
_ROWS = 1 << 16
_END = b"\n</doc>\n"
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class Text:
    """A document: its attributes, as they stand in the vertical without escapes, and its text, one line per block."""

    attributes: dict[str, str]
    text: str


def texts(corpus: Corpus, part: Part, sample: int = 0) -> Iterator[Text]:
    """Yields the documents of a part of a corpus, batch by batch.

    Args:
        corpus: the corpus.
        part: of its documents.
        sample: the most documents: those whose identifiers have the smallest digests, whatever the batches; 0: all.
    """
    chosen = _chosen(corpus, part, sample)
    for number, batch in enumerate(corpus.batches):
        if wanted := chosen.get(number):
            for piece in whole_pieces(corpus.folder, batch):
                for place, start in enumerate(piece.documents.tolist(), piece.first_document):
                    if place in wanted:
                        lines = piece.text[start : piece.text.index(_END, start)].decode("utf-8", "replace")
                        yield _text(lines, wanted[place])


def _chosen(corpus: Corpus, part: Part, sample: int) -> dict[int, dict[int, str]]:
    """Returns by batch the numbers of the documents, with their lines."""
    documents = corpus.documents(part)

    def rows() -> Iterator[tuple[bytes, int, int, str]]:
        for frame in TablePieces(corpus.documents_table, list(DOCUMENTS), _ROWS):
            for (batch,), some in frame.partition_by("batch", as_dict=True).items():
                numbers = some["document"].to_numpy()
                starts = documents.starts_of(int(batch), int(numbers.max()) + 1)
                inside = some.filter(pl.Series(starts[numbers] >= 0))
                for number, line, name in inside.select("document", "line", id=attribute("id")).iter_rows():
                    yield hashlib.blake2b(name.encode(), digest_size=8).digest(), int(batch), number, line

    chosen: dict[int, dict[int, str]] = {}
    for _, batch, number, line in heapq.nsmallest(sample, rows()) if sample else rows():
        chosen.setdefault(batch, {})[number] = line
    return chosen


def _text(document: str, line: str) -> Text:
    """Returns a document of a vertical; its attributes are those of its line in the table of documents."""
    written: list[str] = []
    glue = True
    for token in document.split("\n")[1:]:
        if token == "<g/>":
            glue = True
        elif token == "</p>":
            written.append("\n")
            glue = True
        elif token and not (token[0] == "<" and token[-1] == ">" and len(token) > 2):
            written += ["" if glue else " ", unescape(token.partition("\t")[0])]
            glue = False
    return Text(attributes(line), "".join(written))


def write_files(corpus: Corpus, part: Part, sample: int, output: Path) -> int:
    """Writes each document as a text file in UTF-8 into a new folder; returns their number.

    A file has the identifier of its document as its name.

    Raises:
        ConfigError: the folder has files, or is a file.
    """
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise ConfigError(f"{output}: exists already; name a new folder, or a file that ends in .csv")
    names: set[str] = set()
    with scratch(output) as made:
        folder = made / "texts"
        folder.mkdir()
        for document in texts(corpus, part, sample):
            stem = _NOT_IN_NAMES.sub("_", document.attributes.get("id", ""))[:100].lstrip(".") or "document"
            name, number = stem, 1
            while name.lower() in names:
                number += 1
                name = f"{stem}-{number}"
            names.add(name.lower())
            (folder / f"{name}.txt").write_text(document.text, encoding="utf-8", newline="\n")
        folder.replace(output)
    return len(names)


def write_sheet(corpus: Corpus, part: Part, sample: int, output: Path) -> int:
    """Writes a CSV file with a row per document: its attributes, and its text; returns their number.

    No cell is what a spreadsheet program would run as a formula, or longer than it can hold: texts are cut there.
    """
    columns = list(
        dict.fromkeys(
            name
            for lines in _chosen(corpus, part, sample).values()
            for line in lines.values()
            for name in attributes(line)
        )
    )
    number = 0
    with replacing(output) as temporary, temporary.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*map(_cell, columns), "text"])
        for document in texts(corpus, part, sample):
            writer.writerow([*(_cell(document.attributes.get(name, "")) for name in columns), _cell(document.text)])
            number += 1
    return number


def _cell(text: str) -> str:
    lines = (printable(line, LONGEST_CELL) for line in text.strip().split("\n"))
    return guarded("\n".join(lines))[:LONGEST_CELL]
