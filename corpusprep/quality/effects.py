"""What other rules would remove from a built corpus, by the signals that are stored (`corpusprep recut`)."""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from corpusprep import languages
from corpusprep.archive.batches import batch_names
from corpusprep.errors import LanguageError, StageFileError
from corpusprep.io.progress import track
from corpusprep.quality.blocks import NO_BLOCK_LEFT, left_out, without_blocks
from corpusprep.quality.rules import Rule, decided
from corpusprep.quality.signals import LISTED_WORDS, MODEL_SCORE, NAMES, lacking
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import STAYING

#: Signals that only some corpora have, and the setting that gives them.
_SETTINGS = {MODEL_SCORE: "model", LISTED_WORDS: "word_lists"}


class Effects(NamedTuple):
    """What rules would do.

    Attributes:
        kept: documents and words that stay.
        before: documents and words that the rules see.
        of_rules: rule -> documents and words that it refuses, and documents that it alone refuses; of a rule on blocks:
            documents that lose a block by it, as the first such rule, words of these blocks, and None.
    """

    kept: tuple[int, int]
    before: tuple[int, int]
    of_rules: dict[str, tuple[int, int, int | None]]


def lacking_in(corpus: Path) -> dict[str, str]:
    """Returns the signals that say nothing about the language of a corpus, each with the reason; none if it has none.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    for batch in batch_names(corpus_file(corpus, "plan")):
        codes = read_table(BatchFiles.of(corpus, batch).language, schemas.LANGUAGE, ["lang"])["lang"].drop_nulls()
        if len(codes):
            own = corpus.absolute().parent / "languages" / f"{codes[0]}.model"
            with contextlib.suppress(LanguageError):
                return lacking(languages.get(own if own.exists() else codes[0]))
    return {}


def kept_words(files: BatchFiles) -> pl.DataFrame:
    """Returns the words of the blocks of a batch that stay so far: record, block, words.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    kept = read_table(files.blocks, schemas.BLOCKS, ["record", "block", "verdict"])
    kept = kept.filter(pl.col("verdict").is_in(STAYING)).select("record", "block")
    words = read_table(files.boilerplate, schemas.BOILERPLATE, ["record", "block", "words"])
    return words.join(kept, on=["record", "block"]).with_columns(pl.col("words").cast(pl.Int64))


def effects(corpus: Path, applied: Sequence[Rule]) -> Effects:
    """Returns what rules would do to a built corpus with the setting `filter`. Only rules on blocks read text.

    Raises:
        StageFileError: the corpus has no stored signals that a rule looks at, or a table is damaged.
    """
    of_documents = [rule for rule in applied if not rule.of_blocks]
    rows, lost = [], []
    has: set[str] = set()
    for number, batch in enumerate(track(batch_names(corpus_file(corpus, "plan")), "recut: batches")):
        files = BatchFiles.of(corpus, batch)
        if not files.quality.exists():
            raise StageFileError(
                f"{files.quality}: no such file; build the corpus with filter: {{signals: true}}, or with rules"
            )
        signals = read_table(files.quality, schemas.QUALITY, ["record", *NAMES])
        words = kept_words(files)
        about = without_blocks(decided(signals, of_documents), left_out(files, applied))
        out = about.select("record", "verdict", block="left_out", by="left_out_by").explode("block", "by").drop_nulls()
        lost.append(
            out.join(words, on=["record", "block"]).select("by", "words", document=pl.struct("record", batch=number))
        )
        by_record = words.group_by("record").agg(pl.col("words").sum())
        rows.append(about.select("record", "failed").join(by_record, on="record", how="left").drop("record"))
        has |= {name for name in _SETTINGS if signals[name].count() > 0}
    for name, key in _SETTINGS.items():
        if name not in has and any(name in rule.signals for rule in applied):
            raise StageFileError(f"{corpus}: its documents have no {name}; build the corpus with filter: {{{key}: …}}")
    table = pl.concat(rows)
    failures = pl.col("failed").list.len()
    kept_rows = table.filter(failures == 0)
    counted = (
        table.filter(failures > 0)
        .with_columns(alone=failures == 1)
        .explode("failed")
        .group_by("failed")
        .agg(pl.len(), pl.col("words").sum(), pl.col("alone").sum())
    )
    found: dict[str, tuple[int, int, int | None]] = {row[0]: row[1:] for row in counted.iter_rows()}
    blocks = pl.concat(lost).group_by("by").agg(pl.col("document").n_unique(), pl.col("words").sum())
    of_blocks = {by: (documents, words, None) for by, documents, words in blocks.iter_rows()}
    of_rules = {
        rule.text: of_blocks.get(rule.verdict, (0, 0, None)) if rule.of_blocks else found.get(rule.text, (0, 0, 0))
        for rule in applied
    }
    return Effects(
        (kept_rows.height, int(kept_rows["words"].sum()) - int(blocks["words"].sum())),
        (table.height, int(table["words"].sum())),
        of_rules | {text: numbers for text, numbers in found.items() if text == NO_BLOCK_LEFT},
    )
