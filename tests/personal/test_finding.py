"""The table of personal data, and the corpus without it."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner
from support.batch_fixture import TOKENIZER, Block, Page, write_batch

from corpusprep.commands import corpus, personal
from corpusprep.corpus.documents import Additions, Masking, corpus_documents
from corpusprep.errors import StageFileError
from corpusprep.io.files import zstd_chunks
from corpusprep.personal.finding import write_personal
from corpusprep.pipeline import STEPS
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.text.tokens import tokenize_boilerplate

PAGES = [
    Page((Block("Menu: menu@a.example", label="bad"), Block("Write to Max <max@a.example>."), Block("Text."))),
    Page(
        (Block("gone@a.example", final="duplicate"), Block("Call (212) 555-0142, or max@a.example")), url="http://b.us/"
    ),
    Page((Block("lost@a.example"),), document="exact_duplicate"),
    Page((Block("Nothing."),)),
]


@pytest.fixture
def files(tmp_path: Path) -> BatchFiles:
    """The stages before have made these pages."""
    return write_batch(tmp_path, PAGES)


def places(files: BatchFiles, **settings: Any) -> list[tuple[Any, ...]]:
    """Runs the step; gives record, document, block, kind and text of each place."""
    write_personal(files, **settings)
    blocks = read_table(files.boilerplate, schemas.BOILERPLATE, ["record", "block", "text"])
    texts = {(record, block): text for record, block, text in blocks.iter_rows()}
    rows = read_table(files.personal, schemas.PERSONAL)
    assert rows.sort("record", "block", "start").equals(rows)
    return [
        (row["document"], row["block"], row["kind"], texts[row["record"], row["block"]][row["start"] : row["end"]])
        for row in rows.iter_rows(named=True)
    ]


def test_places_are_those_of_kept_blocks(files: BatchFiles) -> None:
    """Of all kinds or some, and those of boilerplate where the corpus keeps it."""
    kept = [
        (0, 1, "email", "max@a.example"),
        (1, 1, "phone", "(212) 555-0142"),
        (1, 1, "email", "max@a.example"),
    ]
    assert places(files) == kept
    assert places(files, kinds=["phone"]) == kept[1:2]
    assert places(files, boilerplate=True) == [(0, 0, "email", "menu@a.example"), *kept]


def test_the_corpus_has_masks_in_place(files: BatchFiles) -> None:
    """Of the kinds that are masked, in text and vertical; words and tokens are counted before."""
    write_personal(files)
    before = list(corpus_documents(files))
    after = list(corpus_documents(files, Additions(masking=Masking(("email",)))))
    assert [document.values["text"] for document in after] == [
        "Write to Max <[EMAIL]>.\nText.",
        "Call (212) 555-0142, or [EMAIL]",
        "Nothing.",
    ]
    assert b"\n&lt;\n<g/>\n[EMAIL]\n<g/>\n&gt;\n" in after[0].lines
    assert b"max@" not in b"".join(document.lines for document in after)
    for old, new in zip(before, after, strict=True):
        assert {**new.values, "text": ""} == {**old.values, "text": ""}


def test_masks_in_boilerplate_that_is_kept(files: BatchFiles) -> None:
    """In its vertical, too."""
    write_personal(files, boilerplate=True)
    name = f"{files.batch}.boilerplate.vert.zst"
    tokenize_boilerplate(files.tokens, files.vertical, files.boilerplate, TOKENIZER, files.vertical.with_name(name))
    first, *_ = corpus_documents(files, Additions(boilerplate=True, masking=Masking(("email",))))
    assert first.values["text"] == "Menu: [EMAIL]\nWrite to Max <[EMAIL]>.\nText."
    assert first.lines.count(b"[EMAIL]") == 2


def test_masking_needs_the_table(files: BatchFiles) -> None:
    """Without it, nothing is written with the data in it."""
    with pytest.raises(StageFileError, match="personal"):
        list(corpus_documents(files, Additions(masking=Masking(("email",)))))


def test_what_repeats_the_step() -> None:
    """Neither another choice of what is replaced, nor another filter by quality."""
    step = STEPS["personal"]
    assert not {"personal.mask", "personal.replace", "personal.key"}.intersection(step.settings)
    assert "quality" not in (*step.reads, *step.implied)


def test_the_commands(files: BatchFiles, tmp_path: Path) -> None:
    """As the workflow calls them; another choice of what is replaced needs no other table."""
    folder = str(files.tokens.parent.parent)
    key = tmp_path / "secret.key"
    key.write_bytes(b"a secret")
    run = CliRunner().invoke(personal.command, ["--batch", files.batch, "--find", "email", "--find", "phone", folder])
    assert run.exit_code == 0, run.output
    texts = []
    for options in (["--mask=email"], ["--mask=phone", "--replace=made_up", f"--key={key}"]):
        run = CliRunner().invoke(corpus.command, ["--batch", files.batch, "--formats", "jsonl", *options, folder])
        assert run.exit_code == 0, run.output
        path = files.corpus_vertical.with_name(f"{files.batch}.jsonl.zst")
        texts.append([json.loads(line)["text"] for line in b"".join(zstd_chunks(path)).splitlines()])
    assert texts[0][1] == "Call (212) 555-0142, or [EMAIL]"
    assert texts[1][1].startswith("Call +999")
    assert pl.read_parquet(files.personal)["kind"].to_list() == ["email", "phone", "email"]
