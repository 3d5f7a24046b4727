"""Makes tables of `tokens` for artificial documents, from a seed: what the stage `documents` reads, for any size.

    python bench make-documents --output big --documents 100M

One document in five has the text of another, one in a hundred the date and URL of another. No text is written.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import running

from corpusprep.io.sizes import parse_size
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table

BATCH_DOCUMENTS = 1_000_000
REPEATED_TEXTS, REPEATED_PLACES = 0.2, 0.01


def make(output: Path, documents: int, seed: int = 1, batch_documents: int = BATCH_DOCUMENTS) -> list[str]:
    """Writes the tables and the list of batches, and returns the batches' names."""
    generator = np.random.default_rng(seed)
    names: list[str] = []
    for first in range(0, documents, batch_documents):
        count = min(batch_documents, documents - first)
        number = np.arange(first, first + count)
        text = np.where(generator.random(count) < REPEATED_TEXTS, generator.integers(0, first + count, count), number)
        place = np.where(generator.random(count) < REPEATED_PLACES, generator.integers(0, first + count, count), number)
        name = f"b{len(names):05d}"
        names.append(name)
        mixed = pl.Series(place.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
        table = pl.DataFrame({"text": text, "place": mixed, "number": number}).select(
            pl.lit(name).alias("batch"),
            pl.int_range(count).alias("record"),
            pl.int_range(count).alias("document"),
            # Multiplication by an odd number is a bijection: ids differ, and only equal texts have equal digests.
            _hexadecimal(pl.col("number").cast(pl.UInt64) * pl.lit(0xD1342543DE82EF95, pl.UInt64)).alias("id"),
            pl.format(
                "https://host{}.example/{}/page-{}.html",
                pl.col("place") % 100_003,
                pl.col("place") // 100_003 % 1009,
                pl.col("place"),
            ).alias("url"),
            pl.format("2025-0{}-1{}T00:00:00Z", pl.col("place") % 9 + 1, pl.col("place") // 9 % 10).alias("date"),
            _hexadecimal(pl.col("text").cast(pl.UInt64) * pl.lit(0x9E3779B97F4A7C15, pl.UInt64)).alias("digest")
            + _hexadecimal(pl.col("text").cast(pl.UInt64)),
            pl.lit("0" * 32).alias("page_digest"),
            pl.lit("utf-8").alias("encoding"),
            pl.lit(0).alias("record_digest"),
            pl.lit(1).alias("blocks"),
            pl.lit(None).alias("left_out"),
            pl.lit(1).alias("words"),
            pl.lit(1).alias("tokens"),
            pl.lit(0).alias("cut"),
        )
        write_table(table, schemas.TOKENS, output / "tokens" / f"{name}.parquet")
    rows = [f"{name}\t{name}.warc.gz\t1" for name in names]
    (output / "batches.tsv").write_text("\n".join(["batch\tarchive\tbytes", *rows]) + "\n", encoding="utf-8")
    return names


def _hexadecimal(number: pl.Expr) -> pl.Expr:
    """Returns a number of 64 bits as 16 hexadecimal digits."""

    def digits(column: pl.Series) -> pl.Series:
        text = column.to_numpy().astype(">u8").tobytes().hex()
        return pl.Series([text[start : start + 16] for start in range(0, len(text), 16)], dtype=pl.String)

    return number.map_batches(digits, return_dtype=pl.String)


def main(prog: str, arguments: Sequence[str]) -> None:
    """Makes the tables that the arguments describe."""
    parser = running.parser(prog, __doc__)
    parser.add_argument("--output", type=Path, required=True, help="folder of the corpus to make")
    parser.add_argument("--documents", type=parse_size, required=True, help="number of documents, such as 100M")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print(f"{len(make(options.output, options.documents, options.seed))} batches")
