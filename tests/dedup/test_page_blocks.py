"""The blocks of the pages in a vertical."""

from pathlib import Path

import polars as pl

from corpusprep.cleaners.context import CODES
from corpusprep.dedup.page_blocks import page_blocks
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table


def test_blocks_that_language_left_out_are_bad(tmp_path: Path) -> None:
    """Blocks that were left out are not in the vertical and count as bad neighbours."""
    blocks = [("good", "good"), ("good", "good"), ("short", "good"), ("bad", "bad")]
    rows = [
        {"batch": "b00000", "record": 7, "block": number, "context_free_label": free, "label": label}
        for number, (free, label) in enumerate(blocks)
    ]
    write_table(pl.DataFrame(rows, schema=schemas.BOILERPLATE), schemas.BOILERPLATE, tmp_path / "blocks.parquet")
    documents = pl.DataFrame(
        {"record": [7], "document": [0], "verdict": ["kept"], "left_out": [[1, 2]]},
        schema_overrides={"record": pl.UInt32, "document": pl.UInt32, "left_out": pl.List(pl.UInt32)},
    )
    (found,) = page_blocks(tmp_path / "blocks.parquet", documents)
    assert found["good"].to_list() == [True, False, False, False]
    assert found["class"].to_list() == [CODES["good"], CODES["bad"], CODES["bad"], CODES["bad"]]
    documents = documents.with_columns(left_out=pl.lit(None, pl.List(pl.UInt32)))
    (whole,) = page_blocks(tmp_path / "blocks.parquet", documents)
    assert whole["good"].to_list() == [True, True, True, False]


def test_hidden_blocks_are_no_context(tmp_path: Path) -> None:
    """The algorithm did not see them, so the smoothing after the removal of duplicates does not either."""
    blocks = [("good", "good", "kept"), ("bad", "bad", "hidden"), ("short", "good", "kept"), ("bad", "bad", "short")]
    rows = [
        {
            "batch": "b00000",
            "record": 7,
            "block": number,
            "context_free_label": free,
            "label": label,
            "verdict": verdict,
        }
        for number, (free, label, verdict) in enumerate(blocks)
    ]
    write_table(pl.DataFrame(rows, schema=schemas.BOILERPLATE), schemas.BOILERPLATE, tmp_path / "blocks.parquet")
    documents = pl.DataFrame(
        {"record": [7], "document": [0], "verdict": ["kept"], "left_out": [None]},
        schema_overrides={"record": pl.UInt32, "document": pl.UInt32, "left_out": pl.List(pl.UInt32)},
    )
    (found,) = page_blocks(tmp_path / "blocks.parquet", documents)
    assert found["block"].to_list() == [0, 2, 3]
