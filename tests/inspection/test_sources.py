"""The earlier documents that have n-grams of a page, against the order and the n-grams of plain Python."""

from pathlib import Path

import polars as pl
import pytest
from support import block_corpora as corpora
from support.block_stage import N, crawl, tables
from support.corpus_layout import lay_out

from corpusprep.errors import StageFileError
from corpusprep.inspection import sources
from corpusprep.inspection.records import RecordKey
from corpusprep.inspection.sources import find_sources
from corpusprep.inspection.story import BlockStory, Verdict
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.writing import write_table

DOCUMENTS = crawl(40)
BATCHES = [range(0, 25), range(25, 40)]
NAMES = ["b00000", "b00001"]


class Model:
    """The part of a language model that is read."""

    stop_words = frozenset(corpora.STOP_WORDS)


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[pl.DataFrame]]:
    """The folder of a corpus, and the verdicts on the blocks of its batches."""
    flat, folder = tmp_path_factory.mktemp("flat"), tmp_path_factory.mktemp("corpus")
    verdicts = tables(flat, DOCUMENTS, BATCHES, 0.5)
    lay_out(flat, folder, NAMES)
    for name, frame in zip(NAMES, verdicts, strict=True):
        files = BatchFiles.of(folder, name)
        write_table(frame, schemas.BLOCKS, files.blocks)
        row = {"batch": name, "record": 1, "lang": "xx", "verdict": "kept"}
        write_table(pl.DataFrame([row], schema=schemas.LANGUAGE), schemas.LANGUAGE, files.language)
    return folder, verdicts


def stories(rows: pl.DataFrame) -> list[BlockStory]:
    """The blocks of a page as the tables have them."""
    verdict = Verdict(kept=True, stage="", reason="", meaning="")
    return [
        BlockStory(
            row["block"],
            *("p", False, "", 0, 0.0, 0.0, None, "", "good", "good"),
            verdict,
            row["tokens"],
            row["counted_tokens"],
            row["covered_tokens"],
        )
        for row in rows.sort("block").iter_rows(named=True)
    ]


def expected(number: int, verdicts: dict[int, list[str]]) -> list[dict[int, tuple[int, int]]]:
    """For each good block of a document: earlier document -> n-grams that it has of the block, and tokens in them."""
    order = corpora.processing_order(DOCUMENTS, N)
    duplicates = corpora.duplicate_ngrams(DOCUMENTS, N)
    block_of, grams = corpora.positions(DOCUMENTS[number]), corpora.ngrams(DOCUMENTS[number], N)
    found: list[dict[int, tuple[int, int]]] = [{} for _ in DOCUMENTS[number].good]
    for other in order[: order.index(number)]:
        places = corpora.positions(DOCUMENTS[other])
        has = {
            gram
            for place, gram in enumerate(corpora.ngrams(DOCUMENTS[other], N))
            if all(verdicts[other][block] == "kept" for block in places[place : place + N])
        } & duplicates
        for block, of_block in enumerate(found):
            shared = [place for place, gram in enumerate(grams) if gram in has and block in block_of[place : place + N]]
            tokens = {one for place in shared for one in range(place, place + N) if block_of[one] == block}
            if shared:
                of_block[other] = len({grams[place] for place in shared}), len(tokens)
    return found


def test_earlier_documents_are_those_of_plain_python(
    blocks: tuple[Path, list[pl.DataFrame]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every block with covered tokens; and nothing for the others."""
    folder, verdicts = blocks
    monkeypatch.setattr(sources.languages, "get", lambda code: Model)
    named = dict(enumerate(number for batch in BATCHES for number in batch))
    of_document: dict[int, list[str]] = {number: [] for number in named.values()}
    for batch, frame in zip(BATCHES, verdicts, strict=True):
        for document, verdict in frame.sort("document", "block").select("document", "verdict").iter_rows():
            of_document[batch[document]].append(verdict)
    compared = 0
    for name, batch, frame in zip(NAMES, BATCHES, verdicts, strict=True):
        for document in frame["document"].unique().sort()[::2]:
            rows = frame.filter(pl.col("document") == document)
            told = find_sources(folder, RecordKey(name, rows["record"][0]), stories(rows))
            for block, wanted in zip(told, expected(batch[document], of_document), strict=True):
                found = {
                    BATCHES[NAMES.index(one.document.batch)][(one.document.record - 1) // 3]: (one.ngrams, one.tokens)
                    for one in block.sources
                }
                assert found == (wanted if block.covered_tokens else {})
                compared += len(found)
    assert compared > 15


def test_other_settings_than_the_corpus_has(
    blocks: tuple[Path, list[pl.DataFrame]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no settings give the counts of the tables, an error says which model is missing."""
    folder, verdicts = blocks
    rows = verdicts[0].filter(pl.col("covered_tokens").sum().over("document") > 0)
    rows = rows.filter(pl.col("document") == rows["document"][0])
    other = type("Other", (), {"stop_words": frozenset({"w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "the"})})
    monkeypatch.setattr(sources.languages, "get", lambda code: other)
    changed = rows.with_columns(pl.col("counted_tokens") + 1000)
    with pytest.raises(StageFileError, match=r"give the language model that the corpus was made with as .*xx\.model"):
        find_sources(folder, RecordKey("b00000", rows["record"][0]), stories(changed))
