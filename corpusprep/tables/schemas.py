"""The tables that stages hand to each other: names, columns and types of every Parquet file.

Every row carries `(batch, record)`, rows about blocks `block` as well, so that any two tables join.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.io.files import replacing

#: Rows of a table that are stored, and so read, together: what a reader holds hangs on it, however long the table is.
ROWS_TOGETHER = 1 << 15

_KEY = {"batch": pl.String, "record": pl.UInt32}
_BLOCK_KEY = _KEY | {"block": pl.UInt32}

#: `encoding/<batch>.parquet`: a row a record of the archives.
ENCODING = pl.Schema(
    _KEY
    | {
        "archive": pl.String,
        "offset": pl.Int64,  # where the record starts in the archive file, in bytes as stored
        "length": pl.Int64,  # bytes as stored; over an archive they sum to the size of its file
        "record_type": pl.String,
        "url": pl.String,
        "host": pl.String,
        "date": pl.String,  # ISO 8601, as in the archive (WARC-Date), to the second, in UTC
        "status": pl.Int32,
        "content_type": pl.String,
        "payload_bytes": pl.Int64,  # of the decoded body
        "declared_http": pl.String,  # declared encodings, by their WHATWG names
        "declared_meta": pl.String,
        "declared_bom": pl.String,
        "detected": pl.String,
        "detected_score": pl.Float64,
        "encoding": pl.String,  # the one the page is decoded with
        "page_digest": pl.String,  # MD5 of the decoded body's bytes, in hexadecimal
        "verdict": pl.String,  # kept, or one of verdicts.RECORD_REASONS
    }
)

#: `references/chosen.parquet`: two rows a host with two different pages or more, for algorithms that compare pages.
CHOSEN_REFERENCES = pl.Schema(
    _KEY
    | {
        "host": pl.String,
        "page_digest": pl.String,
        "stand_in": pl.Boolean,  # not the reference page, but the one that it is itself compared with
    }
)

#: `references/<batch>.parquet`: those of them that the batch holds.
REFERENCES = pl.Schema(
    dict(CHOSEN_REFERENCES)
    | {
        "encoding": pl.String,  # the one the page is decoded with
        "body": pl.Binary,
    }
)

#: `pages/<batch>.parquet`: a row a page (every record that `encoding` kept), written by `boilerplate`.
PAGES = pl.Schema(
    _KEY
    | {
        "title": pl.String,
        "undecodable": pl.UInt32,  # bytes or byte sequences that the encoding does not know
        "blocks": pl.UInt32,
        "words": pl.UInt32,
        "good_blocks": pl.UInt32,
        "good_words": pl.UInt32,
        "verdict": pl.String,  # kept, or one of verdicts.PAGE_REASONS
    }
)

#: `boilerplate/<batch>.parquet`: a row a block, of every class.
BOILERPLATE = pl.Schema(
    _BLOCK_KEY
    | {
        "tag": pl.String,  # the element that opened the block
        "heading": pl.Boolean,
        "text": pl.String,
        "words": pl.UInt32,  # white-space separated
        "link_density": pl.Float64,  # share of words inside links
        "stopword_density": pl.Float64,
        "context_free_label": pl.String,  # good, near-good, short, bad
        "label": pl.String,  # good, bad
        "verdict": pl.String,  # kept, or one of verdicts.BLOCK_REASONS
    }
)

#: `language/<batch>.parquet`: a row a document (every page that `boilerplate` kept).
LANGUAGE = pl.Schema(
    _KEY
    | {
        "score": pl.Float64,
        "rival": pl.String,  # the best of the other languages, and its score
        "rival_score": pl.Float64,
        "left_out": pl.List(pl.UInt32),  # its good blocks that are in another language, by number
        "verdict": pl.String,  # kept, or one of verdicts.LANGUAGE_REASONS
    }
)

#: `tokens/<batch>.parquet`: a row a document of the vertical beside it, in its order.
TOKENS = pl.Schema(
    _KEY
    | {
        "document": pl.UInt32,  # number of the document in the vertical, from 0
        "id": pl.String,
        "url": pl.String,
        "date": pl.String,
        "digest": pl.String,  # MD5 of the text (blocks joined by line feeds), in hexadecimal
        "page_digest": pl.String,
        "encoding": pl.String,  # with the page's digest, it settles all that the corpus shows of a document
        "blocks": pl.UInt32,
        "left_out": pl.List(pl.UInt32),  # good blocks of the page that are not in the vertical, as `language` has it
        "words": pl.UInt32,
        "tokens": pl.UInt32,
    }
)

#: `documents/<batch>.parquet`: a row a document of the vertical, in its order.
DOCUMENTS = pl.Schema(
    _KEY
    | {
        "document": pl.UInt32,
        "verdict": pl.String,  # kept, or exact_duplicate
        "duplicate_of": pl.String,  # the id of the document that was kept instead
        "rank": pl.UInt64,  # place in the stable order of all the corpus's documents, from 0
    }
)

#: `blocks/<batch>.parquet`: a row a good block of every document that `documents` kept.
BLOCKS = pl.Schema(
    _BLOCK_KEY
    | {
        "document": pl.UInt32,
        "tokens": pl.UInt32,
        "counted_tokens": pl.UInt32,  # those that n-grams are made of
        "covered_tokens": pl.UInt32,  # of these, covered by n-grams seen before
        "verdict": pl.String,  # kept, duplicate or stub
    }
)

#: `corpus/<batch>.parquet`: a row a document of the corpus; its JSONL twin has the same keys in the same order.
CORPUS = pl.Schema(
    {
        "id": pl.String(),
        "url": pl.String(),
        "host": pl.String(),
        "date": pl.String(),
        "title": pl.String(),
        "encoding": pl.String(),
        "language_score": pl.Float64(),  # to 4 decimals, as in the vertical
        "text": pl.String(),  # the kept blocks, joined by line feeds
        "blocks": pl.List(pl.Struct({"block": pl.UInt32, "heading": pl.Boolean})),
    }
)

#: `counts/<batch>.parquet`: what the batch adds to the statistics, a row a table and key (statistics/counts_file.py).
COUNTS = pl.Schema(
    {
        "table": pl.String,
        "key": pl.String,
        **dict.fromkeys(("n1", "n2", "n3", "n4", "n5", "n6"), pl.Int64),  # null where the table has fewer numbers
    }
)

#: `samples/<batch>.parquet`: a row a page that may be among those the report shows, of each fate the first by order.
SAMPLES = pl.Schema(
    _KEY
    | {
        "stage": pl.String,  # that removed it, and why; empty if it was kept
        "reason": pl.String,
        "url_digest": pl.String,  # the order: MD5 of the URL, in hexadecimal, then date, then page_digest
        "date": pl.String,
        "page_digest": pl.String,
        "page": pl.String,  # what is shown of it (report/samples.py), as JSON
    }
)


def write(frame: pl.DataFrame, schema: pl.Schema, path: Path) -> None:
    """Writes `frame` to `path` as Parquet with exactly the columns and types of `schema`, in its order."""
    with replacing(path) as temporary:
        frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items()).write_parquet(
            temporary, compression="zstd", row_group_size=ROWS_TOGETHER
        )


def read(path: Path, schema: pl.Schema, columns: list[str] | None = None) -> pl.DataFrame:
    """Reads a stage's table, all columns or some.

    Raises:
        StageFileError: the file is missing, is not Parquet, or lacks a column of `schema`.
    """
    with reading(path):
        return pl.read_parquet(path, columns=columns or schema.names())


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Names `path` in a StageFileError for what goes wrong while a stage's table is read."""
    try:
        yield
    except FileNotFoundError:
        raise StageFileError(f"{path}: no such file; run the stage that writes it first") from None
    except pl.exceptions.PolarsError as error:
        message = str(error).partition("\n")[0]
        raise StageFileError(f"{path}: not a table of this stage and version ({message})") from None
