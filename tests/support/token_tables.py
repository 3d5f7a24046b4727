"""Tables in the form that `tokens` writes."""

from pathlib import Path
from typing import Any

import polars as pl

from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table
from corpusprep.text.tokens import document_id

Row = dict[str, Any]


def row(date: str, url: str, digest: int, page: int = 0, encoding: str = "utf-8") -> Row:
    """A row of `tokens` without its place in a batch."""
    text_digest = f"{digest * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128:032x}"
    return {
        "id": document_id(date, url, text_digest),
        "url": url,
        "date": date,
        "digest": text_digest,
        "page_digest": f"{page:032x}",
        "encoding": encoding,
        "blocks": 1,
        "words": 1,
        "tokens": 1,
    }


def write_tokens(folder: Path, batches: dict[str, list[Row]]) -> Path:
    """The tables of `tokens`; records are numbered with gaps."""
    for batch, rows in batches.items():
        places = [{"batch": batch, "record": 3 * k + 1, "document": k} for k in range(len(rows))]
        frame = pl.DataFrame([place | row for place, row in zip(places, rows, strict=True)], schema=schemas.TOKENS)
        write_table(frame, schemas.TOKENS, folder / f"{batch}.parquet")
    return folder
