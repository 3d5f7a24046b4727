"""Measures the documents of a batch and decides on them (stage `quality`).

A document is what is left of it after all stages before: its good blocks that `blocks` keeps, a line each.
"""

from collections.abc import Iterator, Sequence
from itertools import compress

import polars as pl

from corpusprep._native.quality import ListedPhrases
from corpusprep.errors import StageFileError
from corpusprep.languages.model import LanguageModel
from corpusprep.quality import signals
from corpusprep.quality.blocks import left_out, without_blocks
from corpusprep.quality.classifier import QualityModel
from corpusprep.quality.rules import Rule, decided
from corpusprep.quality.sampling import beginning, write_samples
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.good_texts import good_texts
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import STAYING
from corpusprep.tables.writing import TableWriter

#: Characters of text that are measured at once.
_AT_ONCE = 4_000_000
_AGAIN = "the stage files are from different runs: run the workflow again"


def write_quality(
    files: BatchFiles,
    model: LanguageModel,
    applied: Sequence[Rule],
    classifier: QualityModel | None = None,
    listed: ListedPhrases | None = None,
    section: str = "{}",
) -> None:
    """Writes the tables schemas.QUALITY and schemas.FILTER_SAMPLES of a batch.

    Args:
        files: what the stages before have written about the batch.
        model: of the language of the corpus.
        applied: the rules that remove documents or blocks.
        classifier: the user's own, if there is one.
        listed: the user's own list of words, if there is one.
        section: the rules as `rules.section_text` writes them.

    Raises:
        StageFileError: a table is missing or damaged, or they do not match.
    """
    of_documents = [rule for rule in applied if not rule.of_blocks]
    out = left_out(files, applied)
    beginnings: dict[int, str] = {}
    kernel, letters = signals.kernel_of(model), signals.letters_of(model)
    with TableWriter(files.quality, schemas.QUALITY) as writer:
        for texts, numbers in _documents(files, beginnings):
            rows = decided(signals.measured(kernel, texts, numbers, letters, classifier, listed), of_documents)
            rows = without_blocks(rows, out)
            rows = rows.with_columns(batch=pl.lit(files.batch), filter=pl.lit(section))
            writer.extend(rows.select(schemas.QUALITY.names()))
    write_samples(files, of_documents, beginnings)


def _documents(
    files: BatchFiles, beginnings: dict[int, str]
) -> Iterator[tuple[list[str], list[tuple[float | None, ...]]]]:
    """Yields documents in groups: their texts; record, document and the signals that tables have.

    Args:
        files: what the stages before have written about the batch.
        beginnings: gets that of each text, by record.
    """
    about = _about(files)
    kept = _kept_blocks(files)
    texts: list[str] = []
    numbers: list[tuple[float | None, ...]] = []
    size = 0
    rows = zip(about.drop("left_out").iter_rows(), good_texts(files.boilerplate, about), strict=True)
    for (row, text), (blocks, stays) in zip(rows, kept.select("block", "stays").iter_rows(), strict=True):
        if blocks != text.blocks:
            raise StageFileError(f"{files.blocks}: record {text.record}: not the good blocks of its page; {_AGAIN}")
        texts.append("\n".join(compress(text.texts, stays)))
        beginnings[text.record] = beginning(compress(text.texts, stays))
        numbers.append(row)
        size += len(texts[-1])
        if size >= _AT_ONCE:
            yield texts, numbers
            texts, numbers, size = [], [], 0
    if texts:
        yield texts, numbers


def _kept_blocks(files: BatchFiles) -> pl.DataFrame:
    """Returns the documents of which a block stays: record, block and stays (lists: of their good blocks)."""
    rows = read_table(files.blocks, schemas.BLOCKS, ["record", "block", "verdict"])
    by_record = rows.sort("record", "block").group_by("record", maintain_order=True)
    found = by_record.agg("block", stays=pl.col("verdict").is_in(STAYING))
    return found.filter(pl.col("stays").list.any())


def _about(files: BatchFiles) -> pl.DataFrame:
    """Returns record, document, signals.FROM_TABLES and left_out of the documents of which a block stays."""
    kept = read_table(files.blocks, schemas.BLOCKS, ["record", "block", "verdict"])
    kept = kept.filter(pl.col("verdict").is_in(STAYING)).select("record", "block")
    tokens = read_table(files.tokens, schemas.TOKENS, ["record", "document"])
    scores = read_table(files.language, schemas.LANGUAGE, ["record", "score", "left_out"])
    scores = scores.rename({"score": "language_score"})
    pages = read_table(files.pages, schemas.PAGES, ["record", "words", "good_words"])
    blocks = read_table(
        files.boilerplate, schemas.BOILERPLATE, ["record", "block", "words", "stopword_density", "template"]
    )
    words = pl.col("words").cast(pl.Float64)

    def share(column: str, whole: float) -> pl.Expr:
        return (pl.col(column) * words).sum() / (words.sum() * whole)

    of_blocks = (
        blocks.join(kept, on=["record", "block"], how="semi")
        .group_by("record")
        .agg(
            stop_word_share=share("stopword_density", 1).fill_nan(0.0),
            template=pl.when(pl.col("template").null_count() == 0).then(share("template", 1000).fill_nan(0.0)),
        )
    )
    boilerplate = pages.select(
        "record", boilerplate=((words - pl.col("good_words")) / words).fill_nan(0.0).cast(pl.Float64)
    )
    about = tokens.join(of_blocks, on="record").join(scores, on="record").join(boilerplate, on="record").sort("record")
    if about.height != of_blocks.height:
        raise StageFileError(f"{files.tokens}: lacks documents of {files.blocks}; {_AGAIN}")
    return about.select(
        "record", "document", *signals.FROM_TABLES, pl.col("left_out").fill_null(pl.lit([], pl.List(pl.UInt32)))
    )
