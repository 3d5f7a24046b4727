"""Reads a corpus for the experiments: tokens, blocks and hosts of the documents before block de-duplication."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep._native.ngrams import word_key
from corpusprep.archive.batches import batch_names
from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.reuse.documents import Documents, offsets_of, ranges
from corpusprep.reuse.reading import is_structure
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table
from corpusprep.text.vertical import read_documents, unescape

#: `experiments/tokens/<batch>.parquet`: one row per document that the stage `documents` kept.
TOKENS = pl.Schema(
    {
        "document": pl.UInt32(),  # number of the document in the batch's vertical
        "id": pl.String(),
        "host": pl.String(),
        "rank": pl.UInt64(),  # position in the stable order of all documents of the corpus
        "blocks": pl.List(pl.UInt32),  # tokens of each block
        "tokens": pl.List(pl.String),
    }
)

#: Most memory of an experiment per token and per document. Measured: lengths of n-grams took 131 bytes per token (3.5
#: million tokens in 2,899 documents); sketches took 6,000 bytes per document (45,454 documents of 11 words).
BYTES_PER_TOKEN = 150
BYTES_PER_DOCUMENT = 7_000
#: Memory of every experiment: libraries at their first use (30 MB), and the first words of the lexicon.
FIXED_BYTES = 50_000_000
_DOCUMENTS_PER_WRITE = 5_000
_DOCUMENTS_PER_READ = 100


@dataclass(slots=True, frozen=True, eq=False)
class TokenCorpus:
    """The documents of a corpus in its stable order.

    Attributes:
        documents: their tokens.
        hosts: int64, shape (documents,): the host of each, as a number.
        block_tokens: uint32, shape (blocks,): tokens of each block, document after document.
        block_offsets: int64, shape (documents + 1,): the blocks of document d are block_offsets[d] to [d + 1].
        batches: of each document, the batch and its number there.
    """

    documents: Documents
    hosts: NDArray[np.int64]
    block_tokens: NDArray[np.uint32]
    block_offsets: NDArray[np.int64]
    batches: tuple[tuple[str, int], ...]

    @classmethod
    def read(cls, folder: Path, batches: Sequence[str], memory: int) -> "TokenCorpus":
        """Reads the tables of all batches.

        Args:
            folder: where `write_tokens` wrote `<batch>.parquet`.
            batches: the names of the corpus's batches, in any order.
            memory: bytes that the process may use, for the corpus and the experiment together.

        Raises:
            StageFileError: a table is missing or damaged.
            ResourceError: the corpus is too large for `memory`.
        """
        sizes = [read_table(folder / f"{batch}.parquet", TOKENS, ["blocks"])["blocks"] for batch in batches]
        total = sum(int(batch.explode().sum()) for batch in sizes)
        number = sum(map(len, sizes))
        limits.budget(
            memory,
            FIXED_BYTES + BYTES_PER_TOKEN * total + BYTES_PER_DOCUMENT * number,
            f"experiments on {total} tokens in {number} documents (a corpus of fewer archives needs less; the thesis "
            "used one archive)",
        )
        ids: dict[str, int] = {}
        rows, parts = [], []
        for batch in batches:
            table = read_table(folder / f"{batch}.parquet", TOKENS)
            rows.append(table.drop("tokens").with_columns(batch=pl.lit(batch)))
            parts += [
                _word_ids(rows_of["tokens"].explode().drop_nulls(), ids)
                for rows_of in table.iter_slices(_DOCUMENTS_PER_READ)
            ]
        frame = pl.concat(rows) if rows else pl.DataFrame(schema=dict(TOKENS) | {"batch": pl.String})
        order = frame["rank"].arg_sort().to_numpy()
        sizes_of = frame["blocks"].list.sum().fill_null(0).to_numpy().astype(np.int64)
        words = np.concatenate([np.empty(0, np.uint32), *parts])[ranges(offsets_of(sizes_of)[order], sizes_of[order])]
        frame = frame[order]
        offsets = offsets_of(sizes_of[order])
        block_tokens = frame["blocks"].explode().drop_nulls().to_numpy().astype(np.uint32)
        block_counts = frame["blocks"].list.len().to_numpy().astype(np.int64)
        block_offsets = offsets_of(block_counts)
        block_numbers = np.arange(len(block_tokens)) - np.repeat(block_offsets[:-1], block_counts)
        documents = Documents(
            names=tuple(frame["id"]),
            words=words,
            offsets=offsets,
            places=np.arange(len(words)) - np.repeat(offsets[:-1], np.diff(offsets)),
            lines=np.repeat(block_numbers, block_tokens),
            lexicon=tuple(ids),
            word_keys=np.array([word_key(word.encode("utf-8", "surrogatepass")) for word in ids], np.uint64),
        )
        return cls(
            documents=documents,
            hosts=frame["host"].rank("dense").to_numpy().astype(np.int64),
            block_tokens=block_tokens,
            block_offsets=block_offsets,
            batches=tuple(zip(frame["batch"], frame["document"], strict=True)),
        )

    @classmethod
    def of_folder(cls, corpus_dir: Path, memory: int) -> "TokenCorpus":
        """Reads the tables of all batches of a corpus from the folder of its stage files; raises as `read` does."""
        return cls.read(corpus_dir / "experiments" / "tokens", batch_names(corpus_dir / "batches.tsv"), memory)

    def kept_by_blocks(self, corpus_dir: Path) -> NDArray[np.bool_]:
        """Returns which tokens the workflow's own block de-duplication keeps.

        Args:
            corpus_dir: the folder of the corpus's stage files.

        Returns:
            bool, shape (tokens,).

        Raises:
            StageFileError: a table is missing, damaged or of other documents.
        """
        batches = batch_names(corpus_dir / "batches.tsv")
        return self.kept_tokens(
            {batch: read_table(corpus_dir / "blocks" / f"{batch}.parquet", schemas.BLOCKS) for batch in batches}
        )

    def kept_tokens(self, blocks: dict[str, pl.DataFrame]) -> NDArray[np.bool_]:
        """Returns which tokens de-duplication keeps.

        Args:
            blocks: a table schemas.BLOCKS per batch.

        Returns:
            bool, shape (tokens,).

        Raises:
            StageFileError: the tables belong to other documents.
        """
        frame = pl.DataFrame(
            {"batch": [batch for batch, _ in self.batches], "document": [number for _, number in self.batches]},
            schema={"batch": pl.String, "document": pl.UInt32},
        )
        verdicts = pl.concat(
            [
                pl.DataFrame(schema={"document": pl.UInt32, "kept": pl.List(pl.Boolean), "batch": pl.String}),
                *(
                    table.sort("document", "block")
                    .group_by("document", maintain_order=True)
                    .agg(kept=pl.col("verdict") == KEPT)
                    .with_columns(batch=pl.lit(batch))
                    for batch, table in blocks.items()
                ),
            ]
        )
        kept = frame.join(verdicts, on=["batch", "document"], how="left", maintain_order="left")["kept"]
        counted = kept.list.len().fill_null(0).to_numpy()
        if not np.array_equal(counted, np.diff(self.block_offsets)):
            raise StageFileError(
                "the verdicts in blocks/ and the tokens in experiments/tokens belong to different documents; "
                "run both stages again"
            )
        flags: NDArray[np.bool_] = kept.explode().drop_nulls().to_numpy().astype(np.bool_)
        return np.repeat(flags, self.block_tokens)


def selected(documents: Documents, *, punctuation: bool, stop_words: Iterable[str] = ()) -> Documents:
    """Returns the documents with only the tokens that n-grams are made of (3.6.3).

    Args:
        documents: with all tokens.
        punctuation: whether tokens that start with punctuation or a symbol count.
        stop_words: tokens that do not count; letter case matters.
    """
    left_out = frozenset(stop_words)
    chosen = documents if punctuation else documents.without_punctuation()
    return chosen.keep_words(lambda word: word not in left_out) if left_out else chosen


def write_tokens(vertical: Path, documents: Path, output: Path) -> None:
    """Writes the table TOKENS of a batch.

    Args:
        vertical: the batch's vertical.
        documents: its table schemas.DOCUMENTS; exact duplicates are left out.
        output: the table.

    Raises:
        StageFileError: a file is missing or damaged, or the two do not belong together.
    """
    frame = read_table(documents, schemas.DOCUMENTS, ["document", "verdict", "rank"]).sort("document")
    kept = (frame["verdict"] == KEPT).to_list()
    ranks = frame["rank"].to_list()
    parts, rows = [pl.DataFrame(schema=TOKENS)], []
    number = -1
    for document in read_documents(vertical):
        number = document.number
        if number >= len(kept):
            break
        if not kept[number]:
            continue
        blocks = [_tokens(block) for block in document.blocks]
        attributes = document.attributes
        rows.append(
            (
                number,
                attributes.get("id", ""),
                attributes.get("host", ""),
                ranks[number],
                [len(block) for block in blocks],
                [token for block in blocks for token in block],
            )
        )
        if len(rows) == _DOCUMENTS_PER_WRITE:
            parts.append(pl.DataFrame(rows, schema=TOKENS, orient="row"))
            rows = []
    if number + 1 != len(kept):
        raise StageFileError(f"{documents} does not describe the documents of {vertical}; run `documents` again")
    parts.append(pl.DataFrame(rows, schema=TOKENS, orient="row"))
    write_table(pl.concat(parts), TOKENS, output)


def _tokens(block: bytes) -> list[str]:
    """Returns the first columns of a block's token lines, unescaped."""
    lines = block.decode("utf-8", "replace").split("\n")
    return [unescape(token) for line in lines if not is_structure(line) and (token := line.partition("\t")[0])]


def _word_ids(tokens: pl.Series, ids: dict[str, int]) -> NDArray[np.uint32]:
    """Returns the id of each token; adds new words to `ids`."""
    frame = tokens.alias("word").to_frame()
    words = frame.unique(maintain_order=True)["word"]
    numbers = [ids.setdefault(word, len(ids)) for word in words]
    table = pl.DataFrame({"word": words, "id": pl.Series(numbers, dtype=pl.UInt32)})
    return frame.join(table, on="word", how="left", maintain_order="left")["id"].to_numpy()
