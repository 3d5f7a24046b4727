"""A small batch: tables of pages as the stages before `tokens` write them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import write_table
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.tokens import tokenize_batch

TOKENIZER = Tokenizer(["etc."], ["l'"], ["n't", "'s"])


@dataclass(frozen=True)
class Block:
    """A block of text; `final` is the verdict of `blocks` on it if it is good; `score`, `kind`, `type`: of a model."""

    text: str
    heading: bool = False
    label: str = "good"
    final: str = "kept"
    score: int | None = None
    kind: str | None = None
    type: str = "p"


@dataclass(frozen=True)
class Page:
    """A page that `boilerplate` kept, with the verdicts of later stages."""

    blocks: tuple[Block, ...] = (Block("Some text."),)
    title: str = "A title"
    url: str = "http://a.example/"
    date: str = "2020-01-01T00:00:00Z"
    encoding: str = "utf-8"
    score: float = 0.75
    language: str = "kept"
    document: str = "kept"
    said: Mapping[str, str] = field(default_factory=dict, repr=False)  # what it says of itself: PAGE_METADATA
    truncated: bool = field(default=False, repr=False)
    good: tuple[Block, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "good", tuple(block for block in self.blocks if block.label == "good"))


def batch_files(folder: Path) -> BatchFiles:
    """Where the tables of the batch are."""
    return BatchFiles.of(folder, "b00000")


def write_pages(folder: Path, pages: list[Page]) -> BatchFiles:
    """Returns the tables that `tokens` reads. Record numbers have gaps, and the first record is not a page."""
    files = batch_files(folder)
    records = [3 * number + 1 for number in range(len(pages))]
    keyed = [({"batch": "b00000", "record": record}, page) for record, page in zip(records, pages, strict=True)]
    encoding = [{"batch": "b00000", "record": 0, "verdict": "status"}] + [
        key
        | {
            "archive": "crawl/a.warc.gz",
            "offset": 100 * key["record"],
            "record_id": f"urn:uuid:{key['record']}",
            "url": page.url,
            "host": page.url.split("/")[2] if "//" in page.url else "",
            "date": page.date,
            "encoding": page.encoding,
            "page_digest": hashlib.md5(repr(page).encode()).hexdigest(),
            "truncated": page.truncated,
            "verdict": "kept",
        }
        for key, page in keyed
    ]
    blocks = [
        key
        | {"block": number, "heading": block.heading, "text": block.text, "words": len(block.text.split())}
        | {"label": block.label, "score": block.score, "kind": block.kind, "type": block.type}
        | {"verdict": "kept" if block.label == "good" else "stop_words"}
        for key, page in keyed
        for number, block in enumerate(page.blocks)
    ]
    tables = {
        files.encoding: (schemas.ENCODING, encoding),
        files.pages: (
            schemas.PAGES,
            [key | {"title": page.title, "verdict": "kept"} | page.said for key, page in keyed],
        ),
        files.boilerplate: (schemas.BOILERPLATE, blocks),
        files.language: (
            schemas.LANGUAGE,
            [key | {"lang": "en", "score": page.score, "verdict": page.language} for key, page in keyed],
        ),
    }
    for path, (schema, rows) in tables.items():
        write_table(pl.DataFrame(rows, schema=schema), schema, path)
    return files


def write_verdicts(files: BatchFiles, pages: list[Page]) -> None:
    """Returns the tables of `documents` and `blocks` for the documents that `language` kept."""
    documents, blocks = [], []
    kept = [(3 * number + 1, page) for number, page in enumerate(pages) if page.language == "kept"]
    for document, (record, page) in enumerate(kept):
        key = {"batch": "b00000", "record": record, "document": document}
        documents.append(key | {"verdict": page.document, "rank": document})
        if page.document == "kept":
            blocks += [
                key | {"block": number, "tokens": len(TOKENIZER.tokenize(block.text)), "verdict": block.final}
                for number, block in enumerate(page.blocks)
                if block.label == "good"
            ]
    write_table(pl.DataFrame(documents, schema=schemas.DOCUMENTS), schemas.DOCUMENTS, files.documents)
    write_table(pl.DataFrame(blocks, schema=schemas.BLOCKS), schemas.BLOCKS, files.blocks)


def write_batch(folder: Path, pages: list[Page]) -> BatchFiles:
    """Writes all stage files of a batch."""
    files = write_pages(folder, pages)
    tokenize_batch(
        files.encoding,
        files.pages,
        files.boilerplate,
        files.language,
        TOKENIZER,
        files.vertical,
        files.tokens,
    )
    write_verdicts(files, pages)
    return files
