"""Makes corpora of any size from a real one: copies of its documents with tokens replaced at random, from a seed.

    python bench make-corpus --source results/docs --output big --tokens 100M

The source is the folder of a corpus that the workflow built. Each copy replaces half of the tokens. Replacements are
drawn from the source, so that frequent tokens stay frequent; one in 50 is two tokens joined, so that new words keep
appearing. One document in 25 is a near-duplicate: the document of the copy before with one token in 50 replaced.
A corpus of fewer than FEWEST_COPIES times the source's tokens is made of fewer documents, still in FEWEST_COPIES.
The output has, per batch, the vertical and the tables that `ngrams` and `blocks` read (`tokens`, `documents`,
`boilerplate`). The same source and options give the same bytes.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import running
import zstandard
from numpy.typing import NDArray

from corpusprep.archive.batches import batch_names
from corpusprep.io.files import zstd_chunks
from corpusprep.io.sizes import parse_size
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table

FEWEST_COPIES = 4
REPLACED = 0.5
JOINED = 0.02  # of the replacements
NEAR_DUPLICATES = 0.04  # of the documents
REPLACED_AGAIN = 0.02  # of a near-duplicate's tokens
BATCH_TOKENS = 100_000_000
ZSTD_LEVEL = 1

Lines = NDArray[np.object_]


class Source:
    """Documents of a corpus in memory, `most` tokens in total: the lines of its vertical, and its tables."""

    def __init__(self, folder: Path, most: int) -> None:
        (name,) = batch_names(folder / "batches.tsv")
        text = b"".join(zstd_chunks(folder / "tokens" / f"{name}.vert.zst"))
        shared: dict[bytes, bytes] = {}
        self.lines: Lines = np.array([shared.setdefault(line, line) for line in text.splitlines(True)], dtype=object)
        tokens = read_table(folder / "tokens" / f"{name}.parquet", schemas.TOKENS).sort("document")
        taken = _filling(tokens["tokens"].to_list(), most)
        starts = np.array([line.startswith(b"<doc ") for line in self.lines])
        self.lines = self.lines[taken[np.cumsum(starts) - 1]]
        starts = np.array([line.startswith(b"<doc ") for line in self.lines])
        self.heads = np.flatnonzero(starts)
        self.document_of = np.cumsum(starts) - 1
        structure = np.array([line[:1] == b"<" and line.endswith(b">\n") and len(line) > 3 for line in self.lines])
        self.places = np.flatnonzero(~structure)  # of the tokens
        documents = read_table(folder / "documents" / f"{name}.parquet", schemas.DOCUMENTS).sort("document")
        numbers = pl.int_range(pl.len(), dtype=pl.UInt32).alias("document")
        self.tables = {
            "tokens": tokens.filter(taken).with_columns(numbers),
            "documents": documents.filter(taken).with_columns(
                numbers, rank=(pl.col("rank").rank("ordinal") - 1).cast(pl.UInt64)
            ),
            # The next steps read only the classes of the blocks. Their texts would not match the new tokens.
            "boilerplate": read_table(
                folder / "boilerplate" / f"{name}.parquet",
                schemas.BOILERPLATE,
                [column for column in schemas.BOILERPLATE if column != "text"],
            ).with_columns(text=pl.lit("")),
        }
        kept = self.tables["tokens"]["record"].implode()
        self.tables["boilerplate"] = self.tables["boilerplate"].filter(pl.col("record").is_in(kept))
        self.records = int(self.tables["boilerplate"]["record"].max()) + 1  # type: ignore[arg-type]


def _filling(sizes: list[int], most: int) -> NDArray[np.bool_]:
    """Returns which documents fit into `most` tokens, earlier ones first; `sizes` are their tokens."""
    taken = np.zeros(len(sizes), bool)
    for number, size in enumerate(sizes):
        taken[number] = size <= most
        most -= size * int(taken[number])
    return taken


def copies(source: Source, generator: np.random.Generator) -> Iterator[Lines]:
    """Yields the lines of one copy after another; the ids of documents are those of the source."""
    before = source.lines
    for number in range(1 << 30):
        copy = source.lines.copy()
        _replace(copy, source, generator, source.places, REPLACED)
        if number:
            near = generator.random(len(source.heads)) < NEAR_DUPLICATES
            places = np.flatnonzero(near[source.document_of])
            copy[places] = before[places]
            _replace(copy, source, generator, source.places[near[source.document_of[source.places]]], REPLACED_AGAIN)
        yield copy
        before = copy


def _replace(
    copy: Lines, source: Source, generator: np.random.Generator, places: NDArray[np.int64], share: float
) -> None:
    """Replaces a share of the tokens at `places`."""
    chosen = places[generator.random(len(places)) < share]
    copy[chosen] = source.lines[generator.choice(source.places, len(chosen))]
    joined = chosen[generator.random(len(chosen)) < JOINED]
    for place, second in zip(joined, generator.choice(source.places, len(joined)), strict=True):
        copy[place] = copy[place][:-1] + source.lines[second]


def _table(source: Source, stage: str, batch: str, numbers: range, rank: int) -> pl.DataFrame:
    """Returns a stage's table for the copies `numbers` of a batch, which `rank` documents precede."""
    parts = []
    for place, number in enumerate(numbers):
        part = source.tables[stage].with_columns(
            batch=pl.lit(batch), record=(pl.col("record") + place * source.records).cast(pl.UInt32)
        )
        if stage != "boilerplate":
            part = part.with_columns(document=(pl.col("document") + place * len(source.heads)).cast(pl.UInt32))
        if stage == "tokens":
            digests = [hashlib.md5(f"{number} {row}".encode()).hexdigest() for row in range(part.height)]
            part = part.with_columns(
                id=pl.lit(f"{number}-") + pl.col("id"),
                url=pl.col("url") + pl.lit(f"?copy={number}"),
                digest=pl.Series(digests),
            )
        if stage == "documents":
            part = part.with_columns(
                verdict=pl.lit(KEPT), duplicate_of=pl.lit(None), rank=pl.col("rank") + rank + place * len(source.heads)
            )
        parts.append(part)
    return pl.concat(parts)


def make(folder: Path, output: Path, tokens: int, seed: int, batch_tokens: int = BATCH_TOKENS) -> int:
    """Makes a corpus of about `tokens` tokens: at most a thousandth fewer, at most one copy of the documents more.

    Returns:
        The number of its tokens.
    """
    source = Source(folder, tokens // FEWEST_COPIES)
    total = max(FEWEST_COPIES, -(-tokens * 999 // (1000 * len(source.places))))
    step = max(1, batch_tokens // len(source.places))
    stream = copies(source, np.random.default_rng(seed))
    rows = ["batch\tarchive\tbytes"]
    for first in range(0, total, step):
        numbers = range(first, min(first + step, total))
        batch = f"b{first // step:05d}"
        rows.append(f"{batch}\t{batch}.warc.gz\t1")
        (output / "tokens").mkdir(parents=True, exist_ok=True)
        compressor = zstandard.ZstdCompressor(level=ZSTD_LEVEL)
        with (output / "tokens" / f"{batch}.vert.zst").open("wb") as raw, compressor.stream_writer(raw) as stream_out:
            for number in numbers:
                lines = next(stream)
                named = lines.copy()
                for head in source.heads:
                    named[head] = named[head].replace(b'id="', f'id="{number}-'.encode(), 1)
                stream_out.write(b"".join(named.tolist()))
        for stage, schema in (
            ("tokens", schemas.TOKENS),
            ("documents", schemas.DOCUMENTS),
            ("boilerplate", schemas.BOILERPLATE),
        ):
            table = _table(source, stage, batch, numbers, first * len(source.heads))
            write_table(table, schema, output / stage / f"{batch}.parquet")
    (output / "batches.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return total * len(source.places)


def main(prog: str, arguments: Sequence[str]) -> None:
    """Makes the corpus that the arguments describe."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("--source", type=Path, required=True, help="folder of a corpus of one batch")
    parser.add_argument("--output", type=Path, required=True, help="folder of the corpus to make")
    parser.add_argument("--tokens", type=parse_size, required=True, help="number of tokens, such as 100M")
    parser.add_argument("--batch-tokens", type=parse_size, default=BATCH_TOKENS, help="most tokens of a batch")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print(f"{make(options.source, options.output, options.tokens, options.seed, options.batch_tokens):,} tokens")
