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
        of_rules: rule -> documents and words that it refuses, and documents that it alone refuses.
    """

    kept: tuple[int, int]
    before: tuple[int, int]
    of_rules: dict[str, tuple[int, int, int]]


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


def effects(corpus: Path, applied: Sequence[Rule]) -> Effects:
    """Returns what rules would do to a built corpus with the setting `filter`. No text is read.

    Raises:
        StageFileError: the corpus has no stored signals that a rule looks at, or a table is damaged.
    """
    rows = []
    has: set[str] = set()
    for batch in track(batch_names(corpus_file(corpus, "plan")), "recut: batches"):
        files = BatchFiles.of(corpus, batch)
        if not files.quality.exists():
            raise StageFileError(
                f"{files.quality}: no such file; build the corpus with filter: {{signals: true}}, or with rules"
            )
        signals = read_table(files.quality, schemas.QUALITY, ["record", *NAMES])
        kept = read_table(files.blocks, schemas.BLOCKS, ["record", "block", "verdict"])
        kept = kept.filter(pl.col("verdict").is_in(STAYING)).select("record", "block")
        words = read_table(files.boilerplate, schemas.BOILERPLATE, ["record", "block", "words"])
        words = words.join(kept, on=["record", "block"]).group_by("record").agg(pl.col("words").cast(pl.Int64).sum())
        about = decided(signals, applied).select("record", "failed")
        rows.append(about.join(words, on="record", how="left").drop("record"))
        has |= {name for name in _SETTINGS if signals[name].count() > 0}
    for name, key in _SETTINGS.items():
        if name not in has and any(name in rule.signals for rule in applied):
            raise StageFileError(f"{corpus}: its documents have no {name}; build the corpus with filter: {{{key}: …}}")
    table = pl.concat(rows)
    number = pl.col("failed").list.len()
    kept_rows = table.filter(number == 0)
    counted = (
        table.filter(number > 0)
        .with_columns(alone=number == 1)
        .explode("failed")
        .group_by("failed")
        .agg(pl.len(), pl.col("words").sum(), pl.col("alone").sum())
    )
    found = {rule: numbers for rule, *numbers in counted.iter_rows()}
    return Effects(
        (kept_rows.height, int(kept_rows["words"].sum())),
        (table.height, int(table["words"].sum())),
        {rule.text: tuple(found.get(rule.text, (0, 0, 0))) for rule in applied},
    )
