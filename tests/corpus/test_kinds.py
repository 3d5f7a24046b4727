"""The kinds and types of blocks in the corpus."""

import json
from pathlib import Path

import polars as pl
import pytest
from support.batch_fixture import Block, Page, write_batch

from corpusprep.corpus.documents import Additions
from corpusprep.corpus.formats import output_formats
from corpusprep.corpus.writing import write_corpus
from corpusprep.io.files import zstd_chunks
from corpusprep.tables import schemas
from corpusprep.text.validation import problems

PAGES = [
    Page(
        (
            Block("Gone", label="bad", kind="comment"),
            Block("Own", kind="heading", type="h"),
            Block("Text.", kind="table", type="l"),
        )
    ),
    Page((Block("All copied.", kind="text", final="duplicate"),)),
    Page((Block("Other."),)),
]


@pytest.mark.parametrize("kinds", [False, True])
def test_blocks_say_their_kind_and_type_in_all_formats(tmp_path: Path, kinds: bool) -> None:
    """If asked for; a block that no learned algorithm has looked at has none."""
    files = write_batch(tmp_path, PAGES)
    folder = files.corpus_vertical.parent
    outputs = {name: folder / f"b.{one.suffix}" for name, one in output_formats().items()}
    write_corpus(files, outputs, Additions(kinds=kinds))
    vertical = b"".join(zstd_chunks(outputs["vertical"])).decode()
    assert ('<p heading="0" block="1" kind="heading" type="h">' in vertical) == kinds
    assert ('<p heading="0" block="2" kind="table" type="l">' in vertical) == kinds
    assert ('<p heading="0" block="0" type="p">' in vertical) == kinds
    assert list(problems(outputs["vertical"])) == []
    tei = b"".join(zstd_chunks(outputs["tei"])).decode()
    assert ('<div>\n<head n="1">' in tei) == ('<list>\n<item n="2">' in tei) == kinds
    assert tei.count('<p n="') == (1 if kinds else 3)
    documents = [json.loads(line) for line in b"".join(zstd_chunks(outputs["jsonl"])).decode().split("\n")[:-1]]
    shown = [
        [(block.get("kind", "absent"), block.get("type")) for block in document["blocks"]] for document in documents
    ]
    assert shown == (
        [[("heading", "h"), ("table", "l")], [(None, "p")]] if kinds else [[("absent", None)] * 2, [("absent", None)]]
    )
    table = pl.read_parquet(outputs["parquet"])
    assert table.schema == schemas.corpus(["kind", "type"] if kinds else [])
    assert table.to_dicts() == documents
