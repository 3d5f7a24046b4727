"""Reading a corpus for the experiments."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import zstandard
from support.block_corpora import STOP_WORDS, counted
from support.block_stage import crawl
from support.experiment_corpora import read, write

from corpusprep.errors import ResourceError, StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table
from studies.pomikalek_2011.chapter_3.corpus import TokenCorpus, selected, write_tokens

DOCUMENTS = crawl(60)
KEPT = [document for document in DOCUMENTS if document.kept]


def words(corpus: TokenCorpus) -> list[list[str]]:
    """The tokens of each document."""
    texts = np.array(corpus.documents.lexicon, object)[corpus.documents.words]
    return [part.tolist() for part in np.split(texts, corpus.documents.offsets[1:-1])]


@pytest.mark.parametrize("batches", [[range(60)], [[*range(59, 29, -1)], [], [*range(30)]]])
def test_documents_come_in_the_stable_order_from_any_batches(tmp_path: Path, batches: list[list[int]]) -> None:
    """Exact duplicates are left out; tokens and blocks are those of the vertical."""
    corpus = read(tmp_path, write(tmp_path, DOCUMENTS, batches))
    assert words(corpus) == [[token for block in document.good for token in block.tokens] for document in KEPT]
    assert corpus.block_tokens.tolist() == [len(block.tokens) for document in KEPT for block in document.good]
    assert np.diff(corpus.block_offsets).tolist() == [len(document.good) for document in KEPT]


def test_kept_tokens_are_those_of_kept_blocks(tmp_path: Path) -> None:
    """The verdicts of two batches, which are not in the order of the corpus."""
    batches = [[*range(59, 29, -1)], [*range(30)]]
    corpus = read(tmp_path, write(tmp_path, DOCUMENTS, batches))
    tables, expected = {}, {}
    for name, batch in zip(("b00000", "b00001"), batches, strict=True):
        rows = [
            (name, 3 * place + 1, block, place, "kept" if (number + block) % 3 else "duplicate")
            for place, number in enumerate(batch)
            if DOCUMENTS[number].kept
            for block in range(len(DOCUMENTS[number].good))
        ]
        columns = ["batch", "record", "block", "document", "verdict"]
        tables[name] = pl.DataFrame(rows, schema=columns, orient="row").cast({"document": pl.UInt32})
        expected |= {batch[place]: [verdict for *_, at, verdict in rows if at == place] for place in range(len(batch))}
    flags = [
        verdict == "kept"
        for number, document in enumerate(DOCUMENTS)
        if document.kept
        for block, verdict in zip(document.good, expected[number], strict=True)
        for _ in block.tokens
    ]
    assert corpus.kept_tokens(tables).tolist() == flags
    with pytest.raises(StageFileError, match="belong to different documents"):
        corpus.kept_tokens({"b00000": tables["b00000"]})


def test_tokens_that_are_not_counted_are_left_out(tmp_path: Path) -> None:
    """As in the stages: tokens that start with punctuation, and stop words in this exact form."""
    corpus = read(tmp_path, write(tmp_path, DOCUMENTS, [range(60)]))
    chosen = selected(corpus.documents, punctuation=False, stop_words=STOP_WORDS)
    expected = sum(counted(token) for document in KEPT for block in document.good for token in block.tokens)
    assert 0 < len(chosen.words) == expected < len(corpus.documents.words)
    assert len(selected(corpus.documents, punctuation=True).words) == len(corpus.documents.words)


def test_hosts_and_columns(tmp_path: Path) -> None:
    """Hosts come from the attributes; of a tagger's columns only the first counts, and its structures do not."""
    lines = [
        '<doc id="one" host="a.example">',
        '<p heading="0">',
        "to\tTO",
        "<g/>",
        "be\tVB",
        '<s n="1">',
        "<3",
        "</p>",
    ]
    lines += ["</doc>", '<doc id="two" host="b.example">', "</doc>", '<doc id="three" host="a.example">', "</doc>", ""]
    (tmp_path / "b.vert.zst").write_bytes(zstandard.compress("\n".join(lines).encode()))
    columns = {"record": [1, 2, 3], "document": [0, 1, 2], "verdict": "kept", "rank": [2, 0, 1]}
    table = pl.DataFrame(columns).with_columns(batch=pl.lit("b"), duplicate_of=pl.lit(None))
    write_table(table, schemas.DOCUMENTS, tmp_path / "documents.parquet")
    write_tokens(tmp_path / "b.vert.zst", tmp_path / "documents.parquet", tmp_path / "b.parquet")
    corpus = TokenCorpus.read(tmp_path, ["b"], 4 << 30)
    assert corpus.documents.names == ("two", "three", "one")
    assert (corpus.hosts == corpus.hosts[1]).tolist() == [False, True, True]
    assert words(corpus) == [[], [], ["to", "be", "<3"]]


def test_too_little_memory_is_an_error_before_anything_is_read(tmp_path: Path) -> None:
    """The message says how much is needed."""
    names = write(tmp_path, DOCUMENTS, [range(60)])
    with pytest.raises(ResourceError, match=r"memory of 1M is too little for experiments on \d+ tokens"):
        TokenCorpus.read(tmp_path / "experiments" / "tokens", names, 1_000_000)


def test_tables_of_other_documents_are_an_error(tmp_path: Path) -> None:
    """A vertical has fewer documents than the table."""
    write(tmp_path, DOCUMENTS, [range(60)])
    write(tmp_path / "other", DOCUMENTS[:10], [range(10)])
    with pytest.raises(StageFileError, match="does not describe the documents"):
        write_tokens(
            tmp_path / "other" / "tokens" / "b00000.vert.zst",
            tmp_path / "documents" / "b00000.parquet",
            tmp_path / "x.parquet",
        )
