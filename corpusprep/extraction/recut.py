"""Writes a corpus with other thresholds, from the scores that `boilerplate` stored (`corpusprep recut`).

No page is read, decoded or parsed again. The stage files up to `boilerplate` go to the folder of another corpus, and
the workflow makes the rest from them. The result is what a run over the archives gives with these thresholds.
"""

import filecmp
import os
import shutil
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.cleaners import fixed
from corpusprep.cleaners.interface import LABELS, VERDICTS, Algorithm
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.io.files import replacing
from corpusprep.io.progress import track
from corpusprep.pipeline import FILES, JOBS
from corpusprep.tables import schemas
from corpusprep.tables.crawl_files import is_crawl
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table

#: What recutting writes again.
_RECUT = ("boilerplate", "pages")


def _copied() -> tuple[str, ...]:
    """Returns the folders and files of the steps on pages that do not depend on thresholds."""
    jobs = [job for job in JOBS.values() if job.of_pages]
    steps = [step for job in jobs for step in job.steps]
    written = {FILES[name].pattern.partition("/")[0] for step in steps for name in step.writes}
    times = {step.times.pattern.rpartition("/")[0] for step in steps}
    logs = {job.log.removesuffix("/{batch}.log") for job in jobs}
    # The folder `models` is of a crawl of several languages; the others of a language that learns its model.
    return ("models", "learned", "language.model", *sorted((written | times | logs).difference(_RECUT)))


def recut_batch(blocks: pl.DataFrame, pages: pl.DataFrame, classifier: Algorithm) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Returns the tables schemas.BOILERPLATE and schemas.PAGES of a batch with other thresholds."""
    classes = fixed.classify_stored(classifier, blocks)
    named = (
        _named("context_free_label", classes.context_free, LABELS),
        _named("label", classes.good.astype(np.uint8), ("bad", "good")),
        _named("verdict", classes.verdicts, VERDICTS),
    )
    blocks = blocks.with_columns(named)
    good = blocks.group_by("record").agg(
        good_blocks=(pl.col("label") == "good").sum().cast(pl.UInt32),
        good_words=pl.col("words").filter(pl.col("label") == "good").sum().cast(pl.UInt32),
    )
    pages = pages.drop("good_blocks", "good_words").join(good, on="record", how="left", maintain_order="left")
    verdict = pl.when(pl.col("good_blocks") > 0).then(pl.lit(KEPT)).otherwise(pl.lit("no_good_block"))
    pages = pages.with_columns(
        pl.col("good_blocks", "good_words").fill_null(0),
        verdict=pl.when(pl.col("verdict").is_in([KEPT, "no_good_block"])).then(verdict).otherwise(pl.col("verdict")),
    )
    return blocks, pages.select(schemas.PAGES.names())


def _named(column: str, codes: NDArray[np.uint8], names: tuple[str, ...]) -> pl.Series:
    """Returns codes as the names they stand for."""
    return pl.Series(column, codes).replace_strict(dict(enumerate(names)), return_dtype=pl.String)


def made_by(corpus: Path) -> str:
    """Returns the name of the algorithm whose stored scores a corpus has: jusText's, or `content`'s.

    Raises:
        StageFileError: `corpus` is not the folder of a built corpus, or another learned algorithm made it: its scores
            do not say which.
    """
    for table in _tables(corpus):
        rows = read_table(table, schemas.BOILERPLATE, ["score", "kind", "verdict"])
        rows = rows.filter(fixed.is_shown(rows))
        if len(rows) and not rows["score"].null_count():
            if rows["kind"].null_count():
                raise StageFileError(
                    f"{corpus}: the scores of a learned algorithm other than content; say which with --algorithm"
                )
            return "content"
        if len(rows):
            return "justext"
    return "justext"


def words_kept(corpus: Path, classifier: Algorithm) -> tuple[int, int]:
    """Returns (words in good blocks, words in all blocks) of a corpus's pages with these thresholds."""
    kept = total = 0
    for table in _tables(corpus):
        rows = read_table(table, schemas.BOILERPLATE, sorted({"words", *fixed.COLUMNS, *classifier.stored_columns}))
        good = fixed.classify_stored(classifier, rows).good
        words = rows["words"].to_numpy().astype(np.int64)
        kept += int(words[good].sum())
        total += int(words.sum())
    return kept, total


def _tables(corpus: Path) -> list[Path]:
    """Returns the corpus's tables of blocks.

    Raises:
        StageFileError: there is none.
    """
    tables = sorted((corpus / "boilerplate").glob("*.parquet"))
    if not tables:
        raise StageFileError(
            f"{corpus}: no boilerplate/*.parquet here; give the folder of a corpus that has been built"
        )
    return tables


def recut(corpus: Path, output: Path, classifier: Algorithm) -> None:
    """Writes the stage files up to `boilerplate` of the corpus in `corpus` with other thresholds to `output`.

    Raises:
        StageFileError: `corpus` is not the folder of a built corpus, or its scores are of another algorithm.
        ConfigError: there is a corpus in `output` already, `corpus` is one language of a crawl, or the algorithm does
            not classify stored scores.
    """
    crawl = corpus.absolute().parent
    if is_crawl(crawl):
        # With other thresholds, other pages have good text in a language: the crawl must be divided again.
        raise ConfigError(
            f"{corpus}: one language of a crawl of several; recut the whole crawl, {corpus.parent}, and say under"
            " overrides in what its languages differ"
        )
    if not classifier.stored_columns:
        raise ConfigError(f"{type(classifier).__name__}: stored scores do not decide its classes; it cannot recut")
    tables = _tables(corpus)
    if output.exists():
        raise ConfigError(f"{output}: exists already; choose another folder")
    with replacing(output) as temporary:
        _write(corpus, temporary, tables, classifier)
    copy_models(corpus.absolute().parent / "languages", output.absolute().parent / "languages")


def copy_models(source: Path, target: Path) -> None:
    """Copies the language models of a results folder that another lacks; where both have one, its date.

    The workflow makes a file again if it is older than what it was made from. The copied tables are as old as the
    models that they were made with, not younger than a copy that is made now.
    """
    for model in sorted(source.glob("*.model")) if source != target else ():
        target.mkdir(exist_ok=True)
        there = target / model.name
        if not there.exists():
            with replacing(there) as temporary:
                shutil.copy2(model, temporary)
        elif filecmp.cmp(model, there, shallow=False):
            times = model.stat()
            os.utime(there, ns=(times.st_atime_ns, min(times.st_mtime_ns, there.stat().st_mtime_ns)))


def _write(corpus: Path, output: Path, tables: list[Path], classifier: Algorithm) -> None:
    for name in _copied():
        if (corpus / name).is_dir():
            shutil.copytree(corpus / name, output / name)
        elif (corpus / name).exists():
            (output / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(corpus / name, output / name)
    for table in track(tables, "recut: batches", total=len(tables)):
        blocks, pages = recut_batch(
            read_table(table, schemas.BOILERPLATE),
            read_table(corpus / "pages" / table.name, schemas.PAGES),
            classifier,
        )
        write_table(pages, schemas.PAGES, output / "pages" / table.name)
        write_table(blocks, schemas.BOILERPLATE, output / "boilerplate" / table.name)
