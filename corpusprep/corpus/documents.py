"""Puts the documents of the corpus together: the blocks that stay, with metadata (stage `corpus`)."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from corpusprep.archive import text_fields
from corpusprep.corpus.formats.interface import CorpusDocument
from corpusprep.errors import StageFileError
from corpusprep.personal.replacing import Place, Replacer, replaced_lines, replaced_text
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BOILERPLATE_VERTICAL, BatchFiles
from corpusprep.tables.good_texts import KEY, good_texts, kept_documents, page_texts
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT, MARKS, STAYING
from corpusprep.text.vertical import (
    DOCUMENT_END,
    DocumentAttributes,
    VerticalDocument,
    clean_value,
    escape,
    read_documents,
)
from corpusprep.text.vertical_lines import annotation

#: Verdict of a block that stays -> its attribute `duplicate`: what the duplicate is, that it is part of.
DUPLICATE = {
    KEPT: "no",
    MARKS["duplicate"]: "block",
    MARKS["stub"]: "stub",
    MARKS["duplicate_document"]: "document",
    MARKS["near_duplicate"]: "near",
}
#: Classes of scores (Schäfer 2016, section 4).
CLASSES = "abcdefghij"


class Masking(NamedTuple):
    """What replaces personal data in the text.

    Attributes:
        kinds: those that are replaced, of personal.rules.KINDS.
        way: how, of personal.replacing.WAYS.
        key: the path of a file with a secret, for all ways but labels.
    """

    kinds: tuple[str, ...] = ()
    way: str = "label"
    key: str = ""


#: Nothing is replaced.
NO_MASKING = Masking()


@dataclass(frozen=True, slots=True)
class Additions:
    """What a corpus has beside the blocks that are kept, and what it says of blocks and tokens.

    Attributes:
        marked: whether duplicates stay, and all blocks say whether they are one.
        boilerplate: whether boilerplate stays, and all blocks say whether they are boilerplate.
        kinds: whether all blocks say their kind and type.
        columns: names of the columns of the annotated vertical; without them, tokens have none.
        tokenizer: the path of a tokeniser of a model (tokenizer.json) whose tokens are counted; empty without one.
        masking: what replaces personal data, in place of it.
    """

    marked: bool = False
    boilerplate: bool = False
    kinds: bool = False
    columns: tuple[str, ...] = ()
    tokenizer: str = ""
    masking: Masking = NO_MASKING

    @property
    def document_columns(self) -> tuple[str, ...]:
        """The names of the further columns of documents, in their order."""
        return ("model_tokens",) * bool(self.tokenizer)

    @property
    def of_writers(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """What a writer is given (OutputFormat.writer)."""
        return self.attributes, self.columns, self.document_columns

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the further attributes of blocks, in their order."""
        return (
            ("boilerplate", "score", "class") * self.boilerplate
            + ("duplicate",) * self.marked
            + ("kind", "type") * self.kinds
        )


#: Nothing is added.
NONE = Additions()


@dataclass(slots=True)
class _Block:
    """A block that stays: its number in the page, its text, its lines of the vertical, further attributes."""

    number: int
    heading: bool
    text: str
    words: int
    lines: bytes
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def marked_lines(self) -> bytes:
        """The lines, with the further attributes at the end of the first; those without a value are left out."""
        if not self.attributes:
            return self.lines
        shown = {name: value for name, value in self.attributes.items() if value is not None}
        if not shown:
            return self.lines
        first, feed, rest = self.lines.partition(b"\n")
        added = " ".join(f'{name}="{_shown(value)}"' for name, value in shown.items())
        return first.rstrip()[:-1] + f" {added}>".encode() + feed + rest


def _shown(value: Any) -> str:
    """Returns a value as an attribute of the vertical."""
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:.3f}" if isinstance(value, float) else str(value)


class _Boilerplate:
    """The boilerplate of a batch's documents, which joins the blocks that stay."""

    def __init__(self, files: BatchFiles, kept: pl.DataFrame, vertical: Path) -> None:
        """The boilerplate of the documents `kept` (columns document, id, record, left_out), beside their vertical."""
        self._path = vertical.with_name(BOILERPLATE_VERTICAL.format(files.batch))
        if not self._path.exists():
            raise StageFileError(f"{self._path}: no such file; run `tokens` again, with --boilerplate keep")
        self._documents = read_documents(self._path)
        self._texts = page_texts(files.boilerplate, kept, label="bad")
        rows = read_table(files.boilerplate, schemas.BOILERPLATE, ["record", "block", "score"]).sort("record", "block")
        self._records = rows["record"].cast(pl.Int64).to_numpy()
        self._numbers, self._scores = rows["block"], rows["score"]

    def joined(
        self, number: int, name: str, record: int, good: list[_Block], *, marked: bool
    ) -> tuple[list[_Block], int]:
        """Returns all blocks of the next document, in the order of the page, and the tokens of its boilerplate.

        De-duplication has not looked at boilerplate: it is no duplicate.
        """
        document = next((candidate for candidate in self._documents if candidate.number == number), None)
        text = next(self._texts)
        if document is None or document.attributes.get("id") != name or len(document.blocks) != len(text.blocks):
            raise StageFileError(
                f"{self._path}: document {number} ({name}): not its boilerplate; run `tokens` again, with"
                " --boilerplate keep"
            )
        columns = zip(text.blocks, text.headings, text.texts, text.words, document.blocks, strict=True)
        bad = [_Block(*columns_of) for columns_of in columns]
        start, end = np.searchsorted(self._records, [record, record + 1]).tolist()
        scores = dict(zip(self._numbers[start:end].to_list(), self._scores[start:end].to_list(), strict=True))
        for blocks, boilerplate in ((good, False), (bad, True)):
            for block in blocks:
                score = scores[block.number]
                named = {
                    "boilerplate": boilerplate,
                    "score": None if score is None else score / 1000,
                    "class": None if score is None else score_class(score),
                }
                block.attributes = named | ({"duplicate": "no"} if marked else {}) | block.attributes
        tokens = sum(_tokens(block.lines) for block in bad)
        return sorted([*good, *bad], key=lambda block: block.number), tokens


def score_class(score: int) -> str:
    """Returns the class of a score, per mille of main content: tenths of the score of boilerplate, a to j.

    >>> score_class(1000), score_class(500), score_class(0)
    ('a', 'f', 'j')
    """
    return CLASSES[min((1000 - score) // 100, len(CLASSES) - 1)]


def _tokens(lines: bytes) -> int:
    """Returns the number of tokens of a block's lines: tokens are escaped, and none is like a tag."""
    return sum(bool(line) and not (line[:1] == b"<" and line[-1:] == b">") for line in lines.split(b"\n"))


class _Kinds:
    """The kinds and types of the blocks of a batch."""

    def __init__(self, path: Path) -> None:
        rows = read_table(path, schemas.BOILERPLATE, ["record", "block", "kind", "type"]).sort("record", "block")
        self._records = rows["record"].cast(pl.Int64).to_numpy()
        self._rows = rows.select("block", "kind", "type")

    def add(self, record: int, blocks: Iterable[_Block]) -> None:
        """Adds the attributes `kind` and `type` to blocks of a page."""
        start, end = np.searchsorted(self._records, [record, record + 1]).tolist()
        of_page = {number: known for number, *known in self._rows[start:end].iter_rows()}
        for block in blocks:
            block.attributes["kind"], block.attributes["type"] = of_page[block.number]


class _Masks:
    """What replaces the personal data of a batch."""

    def __init__(self, path: Path, masking: Masking) -> None:
        self._path = path
        self._replacer = Replacer(masking.way, masking.key)
        rows = read_table(path, schemas.PERSONAL, ["record", "block", "start", "end", "kind"])
        rows = rows.filter(pl.col("kind").is_in(masking.kinds)).sort("record", "block", "start")
        self._records = rows["record"].cast(pl.Int64).to_numpy()
        self._rows = rows.drop("record")

    def replace(self, record: int, blocks: Iterable[_Block]) -> None:
        """Replaces what is in blocks of a page, in the text and the lines. The numbers of words stay as they are."""
        start, end = np.searchsorted(self._records, [record, record + 1]).tolist()
        if start == end:
            return
        of_blocks: dict[int, list[tuple[int, int, str]]] = {}
        for block, *place in self._rows[start:end].iter_rows():
            of_blocks.setdefault(block, []).append(tuple(place))
        for block in blocks:
            places = [
                Place(begin, stop, self._replacer.word(kind, block.text[begin:stop]))
                for begin, stop, kind in of_blocks.get(block.number, ())
            ]
            if places:
                try:
                    block.lines = replaced_lines(block.lines, block.text, places)
                except StageFileError as error:
                    raise StageFileError(
                        f"{self._path}: record {record}, block {block.number}: {error}; personal data is replaced only"
                        " in a vertical with the tokens of the text"
                    ) from None
                block.text = replaced_text(block.text, places)


class _Verdicts:
    """The verdicts on a batch's blocks, by document."""

    def __init__(self, path: Path, quality: Path, *, marked: bool) -> None:
        rows = read_table(path, schemas.BLOCKS, ["document", "block", "tokens", "verdict"]).sort("document", "block")
        # The type of what is searched for: a search makes no copy.
        self._documents = rows["document"].cast(pl.Int64).to_numpy()
        self._blocks = rows["block"].to_numpy()
        self._kept = rows["verdict"].is_in(STAYING).to_numpy()
        other = not self._kept.all() if marked else rows["verdict"].is_in(list(MARKS.values())).any()
        if other:
            raise StageFileError(f"{path}: made with another setting of blocks.mark; run `blocks apply` again")
        self._marks = [DUPLICATE[verdict] for verdict in rows["verdict"]] if marked else None
        self._tokens = rows["tokens"].fill_null(0).to_numpy()
        self._refused: set[int] = set()
        if quality.exists():
            decided = read_table(quality, schemas.QUALITY, ["document", "left_out", "verdict"])
            if set(decided["document"]) != set(np.unique(self._documents[self._kept]).tolist()):
                raise StageFileError(f"{quality}: not the documents of {path}; run the stages again")
            self._refused.update(decided.filter(pl.col("verdict") != KEPT)["document"])
            out = decided.select("document", block="left_out").explode("block").drop_nulls().with_columns(out=True)
            left = rows.join(out, on=["document", "block"], how="left", maintain_order="left")["out"].is_null()
            self._kept = self._kept & left.to_numpy()

    def documents(self) -> list[int]:
        """Returns the documents with a kept block that `quality` does not refuse."""
        numbers: list[int] = np.unique(self._documents[self._kept]).tolist()
        return [number for number in numbers if number not in self._refused]

    def of(self, document: int) -> tuple[list[int], list[bool], int]:
        """Returns the numbers of a document's good blocks in its page, whether each is kept, and the tokens kept."""
        start, end = np.searchsorted(self._documents, [document, document + 1])
        kept = self._kept[start:end]
        return self._blocks[start:end].tolist(), kept.tolist(), int(self._tokens[start:end][kept].sum())

    def marks(self, document: int) -> list[str] | None:
        """Returns `duplicate` of each of a document's good blocks; None if they are not marked."""
        if self._marks is None:
            return None
        start, end = np.searchsorted(self._documents, [document, document + 1])
        return self._marks[start:end]


def corpus_documents(files: BatchFiles, additions: Additions = NONE) -> Iterator[CorpusDocument]:
    """Yields the documents of a batch that have a kept block, in order; one document's text is in memory at a time.

    Args:
        files: what the stages have written about the batch.
        additions: to the blocks that are kept, and to what is said of them.

    Raises:
        StageFileError: a file cannot be read, or they hold other documents or blocks; names file and document.
    """
    marked, columns = additions.marked, additions.columns
    verdicts = _Verdicts(files.blocks, files.quality, marked=marked)
    metadata = _metadata(files)
    kept = metadata.filter(pl.col("document").is_in(verdicts.documents()))
    wanted = zip(kept.iter_rows(named=True), good_texts(files.boilerplate, kept), strict=True)
    row, text = next(wanted, (None, None))
    vertical = files.annotated if columns else files.vertical
    others = _Boilerplate(files, kept, vertical) if additions.boilerplate else None
    named = _Kinds(files.boilerplate) if additions.kinds else None
    counts = _subwords(files.subwords) if additions.tokenizer else None
    masks = _Masks(files.personal, additions.masking) if additions.masking.kinds else None
    for document in _checked(files, vertical, metadata):
        if row is None or text is None or row["document"] != document.number:
            continue
        numbers, keep, tokens = verdicts.of(document.number)
        if numbers != text.blocks or len(numbers) != len(document.blocks):
            where = f"document {document.number} ({row['id']})"
            raise StageFileError(f"{files.blocks}: {where}: not the good blocks of {files.boilerplate}; run it again")
        marks = verdicts.marks(document.number)
        parts = zip(numbers, text.headings, text.texts, text.words, document.blocks, strict=True)
        blocks = [_Block(*of_block) for of_block in compress(parts, keep)]
        for block, mark in zip(blocks, compress(marks, keep) if marks else (), strict=False):
            block.attributes["duplicate"] = mark
        if others is not None:
            blocks, more = others.joined(document.number, row["id"], row["record"], blocks, marked=marked)
            tokens += more
        if named is not None:
            named.add(row["record"], blocks)
        if masks is not None:
            masks.replace(row["record"], blocks)
        made = _document(row, document.start, blocks, tokens, columns)
        if counts is not None:
            if row["record"] not in counts:
                raise StageFileError(f"{files.subwords}: no document {row['id']}; run `subwords` again")
            made.values["model_tokens"] = counts[row["record"]]
        yield made
        row, text = next(wanted, (None, None))


def _subwords(path: Path) -> dict[int, int]:
    """Returns the number of tokens of a model of each document of a batch, by record."""
    return dict(read_table(path, schemas.SUBWORDS, ["record", "model_tokens"]).iter_rows())


def _document(
    row: dict[str, Any], start: bytes, blocks: Sequence[_Block], tokens: int, columns: Sequence[str]
) -> CorpusDocument:
    """Returns a document of the corpus.

    Args:
        row: its metadata.
        start: its line `<doc …>` in the vertical of `tokens`.
        blocks: those that stay.
        tokens: the number of their tokens.
        columns: names of the columns of the annotated vertical.
    """
    attributes, _ = DocumentAttributes.of(row["id"], row)
    metadata = {name: clean_value(row[name])[0] for name in schemas.PAGE_METADATA}
    truncated = bool(row["truncated"])
    added = {"words": sum(block.words for block in blocks), "tokens": tokens, **metadata, "truncated": truncated}
    own = own_attributes(row["meta"])
    text = "\n".join(block.text for block in blocks)
    listed = [{"block": block.number, "heading": block.heading, **block.attributes} for block in blocks]
    found = {**row, **attributes._asdict(), **added, "text": text, "blocks": listed}
    values = {name: found[name] for name in schemas.CORPUS}
    written = " ".join(f'{name}="{escape(_shown(value))}"' for name, value in (added | own).items())
    first = start.rstrip()[:-1] + f" {written}>\n".encode()
    lines = b"".join([first, *(block.marked_lines for block in blocks), DOCUMENT_END])
    if columns:
        values["annotation"] = annotation(lines, columns)
    return CorpusDocument(values, lines, own, row["record"])


def own_attributes(meta: str) -> dict[str, str]:
    """Returns own fields of a text input as attributes of its document; those with equal names are joined.

    >>> own_attributes('{"genre": "letter", "Text type": "a"}')
    {'meta_text_type': 'a', 'meta_genre': 'letter'}
    """
    attributes: dict[str, str] = {}
    for name, value in sorted(json.loads(meta).items()) if meta else ():
        attribute = text_fields.attribute(name)
        known = attributes.get(attribute, "")
        attributes[attribute] = clean_value(f"{known}; {value}" if known else value)[0]
    return attributes


def _checked(files: BatchFiles, vertical: Path, metadata: pl.DataFrame) -> Iterator[VerticalDocument]:
    """Yields the documents of the vertical, checked against the table of `tokens`: the same, with as many blocks."""
    rows = metadata.select("document", "id", "good_blocks").iter_rows()
    for document, row in zip_longest(read_documents(vertical), rows):
        if document is None:
            raise StageFileError(f"{vertical}: ends before document {row[0]} ({row[1]}) of {files.tokens}")
        wanted = f"document {row[0]} ({row[1]}) with {row[2]} <p>" if row else "the end"
        name, blocks = document.attributes.get("id"), len(document.blocks)
        if row is None or row[1:] != (name, blocks):
            raise StageFileError(
                f"{vertical}: document {document.number} ({name}) with {blocks} <p> stands where {files.tokens}"
                f" has {wanted}; keep the structure lines of the stage tokens"
            )
        yield document


def _metadata(files: BatchFiles) -> pl.DataFrame:
    """Returns the vertical's documents in order: columns of schemas.CORPUS, document, record, good_blocks."""
    tokens = read_table(files.tokens, schemas.TOKENS, [*KEY, "document", "id", "blocks"])
    tokens = tokens.rename({"blocks": "good_blocks"}).sort("document")
    known = kept_documents(files.encoding, files.pages, files.language, files.decided_before_tokens)
    verdicts = read_table(files.documents, schemas.DOCUMENTS, [*KEY, "document"])
    for path, other in ((files.language, known), (files.documents, verdicts)):
        if tokens.height != other.height or tokens.join(other, on=KEY, how="anti").height:
            raise StageFileError(f"{path}: its documents differ from {files.tokens}; run the stages again")
    rows = tokens.join(known, on=KEY).sort("document")
    return rows.with_columns(pl.col("language_score").round(4))
