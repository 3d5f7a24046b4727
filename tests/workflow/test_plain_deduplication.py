"""The duplicate blocks of a real crawl, by the workflow and by a plain implementation of the algorithm."""

import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from support.block_corpora import Block, BlockResult, Document, sequential
from support.built_corpora import decompressed, stage
from support.running import build

from corpusprep import languages
from corpusprep.archive.batches import batch_names

pytestmark = [pytest.mark.slow, pytest.mark.data]
Key = tuple[str, int]  # batch, record

STOP_WORDS = languages.get("en").stop_words


def counted(token: str) -> bool:
    """Whether n-grams contain a token: it does not start with punctuation or a symbol and is no stop word."""
    return unicodedata.category(token[0])[0] not in "PS" and token not in STOP_WORDS


def texts(vertical: Path) -> Iterator[list[tuple[str, ...]]]:
    """The counted tokens of each block of each document.

    Each gets the letter x in front. The plain implementation has its own stop words, and so counts all of them.
    """
    blocks: list[list[str]] = []
    for line in decompressed(vertical).split("\n"):
        if line.startswith("<doc "):
            blocks = []
        elif line.startswith("<p "):
            blocks.append([])
        elif line == "</doc>":
            yield [tuple(block) for block in blocks]
        elif line not in ("", "</p>", "<g/>") and counted(line):
            blocks[-1].append("x" + line)


def pages(corpus: Path) -> tuple[list[Key], list[Document]]:
    """The documents of a corpus in their stable order, and their keys."""
    found: list[tuple[int, Key, Document]] = []
    for batch in batch_names(corpus / "batches.tsv"):
        rows = pl.read_parquet(corpus / "boilerplate" / f"{batch}.parquet").filter(pl.col("verdict") != "hidden")
        labels = {
            record: page.select("context_free_label", "label").rows() for (record,), page in rows.group_by("record")
        }
        documents = pl.read_parquet(corpus / "documents" / f"{batch}.parquet").sort("document")
        named = documents.select("record", "rank", "verdict").iter_rows()
        for (record, rank, verdict), blocks in zip(named, texts(corpus / "tokens" / f"{batch}.vert.zst"), strict=True):
            text = iter(blocks)
            page = Document(
                tuple(Block(free, next(text) if label == "good" else ()) for free, label in labels[record]),
                kept=verdict == "kept",
            )
            assert page.labels == [label for _, label in labels[record]]
            assert list(text) == []
            found.append((rank, (batch, record), page))
    found.sort(key=lambda entry: entry[0])
    return [key for _, key, _ in found], [page for _, _, page in found]


def test_blocks_of_a_crawl_of_documentation(evaluation_data: Path, tmp_path: Path) -> None:
    """3,000 pages in two batches: all 109,000 good blocks have the same verdict and number of covered tokens."""
    archives = [str(evaluation_data / "crawl" / "docs-*.warc.gz")]
    docs = {"language": "en", "archives": archives}
    # The plain implementation smooths the classes that are left as jusText does, and knows no text that is there twice.
    config = {"boilerplate": {"algorithm": "justext"}, "pages": {"repeated": "keep"}}
    config |= {"batch_bytes": "25MB", "corpora": {"docs": docs}}
    corpus = build(tmp_path, config, "--until", "corpus") / "docs"
    keys, documents = pages(corpus)
    expected = {keys[number]: blocks for number, blocks in sequential(documents, 10, Fraction(1, 2)).items() if blocks}
    found: dict[Key, list[BlockResult]] = {}
    for row in stage(corpus, "blocks"):
        found.setdefault((row["batch"], row["record"]), []).append((row["covered_tokens"], row["verdict"]))
    assert len(batch_names(corpus / "batches.tsv")) == 2
    assert len(expected) > 2000
    assert {verdict for blocks in expected.values() for _, verdict in blocks} == {"kept", "duplicate", "stub"}
    assert found == expected
