"""Decides on single blocks of the documents that the filter keeps (`filter: {blocks: …}`, and the preset `c4`).

The signals of a block come from the table of `boilerplate` when a rule asks for them; none are stored. C4's rules on
lines: Raffel et al. 2020, section 2.2; the words for scripts and policies are those that its filters leave out.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from corpusprep._native.quality import SIGNALS, QualitySignals
from corpusprep.quality.rules import Rule, first_verdict
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table, reading
from corpusprep.tables.verdicts import EMPTIED, KEPT, STAYING

#: What a document is like of which rules on blocks leave nothing, among the rules that remove documents.
NO_BLOCK_LEFT = "no block left"
_LISTS = ("left_out", "left_out_by")
_TEXT = pl.col("text")
#: The text as C4 looks at it: without marks of citations.
_CITED = _TEXT.str.strip_chars().str.replace_all(r"\[[0-9]*\]|\[edit\]|\[citation needed\]", "")
_POLICIES = (
    "javascript",
    *("terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies"),
)
#: Blocks that are measured at once.
_AT_ONCE = 50_000
#: Signals that the kernel measures, as of documents.
_OF_KERNEL = ("letters", "capitals", "digits")


#: Other signals (rules.BLOCK_SIGNALS) -> the value, from columns of schemas.BOILERPLATE, of blocks that stay so far.
_VALUES: Mapping[str, pl.Expr] = {
    "words": pl.col("words"),
    "characters": _TEXT.str.len_chars(),
    "longest_word": _TEXT.str.split(" ").list.eval(pl.element().str.len_chars()).list.max(),
    "link_density": pl.col("link_density"),
    "stop_word_share": pl.col("stopword_density"),
    "sentence_end": (pl.col("cited").str.contains(r"""[.?!"']\z""") & ~pl.col("cited").str.ends_with("...")).cast(
        pl.Int64
    ),
    "policies": pl.col("cited").str.to_lowercase().str.contains_any(list(_POLICIES)).cast(pl.Int64),
    "repeats": pl.int_range(pl.len()).over("record", "text"),
}


def left_out(files: BatchFiles, applied: Sequence[Rule]) -> pl.DataFrame:
    """Returns the blocks that rules remove: record, left_out and left_out_by (lists), and left (blocks that stay).

    Args:
        files: what the stages before have written about a batch.
        applied: rules, of which those on blocks count.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    own = [rule for rule in applied if rule.of_blocks]
    if not own:
        return pl.DataFrame(
            schema={"record": pl.UInt32, **{name: schemas.QUALITY[name] for name in _LISTS}, "left": pl.UInt32}
        )
    verdicts = measured_blocks(files, own).select("record", "block", verdict=first_verdict(own))
    out = pl.col("verdict") != KEPT
    return (
        verdicts.sort("record", "block")
        .group_by("record", maintain_order=True)
        .agg(
            left_out=pl.col("block").filter(out),
            left_out_by=pl.col("verdict").filter(out),
            left=(~out).sum().cast(pl.UInt32),
        )
    )


def measured_blocks(files: BatchFiles, own: Sequence[Rule]) -> pl.DataFrame:
    """Returns the blocks that stay so far: record, block, and the signals that rules on blocks look at.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    kept = read_table(files.blocks, schemas.BLOCKS, ["record", "block", "verdict"])
    kept = kept.filter(pl.col("verdict").is_in(STAYING)).select("record", "block")
    columns = ["record", "block", "text", "words", "link_density", "stopword_density"]
    with reading(files.boilerplate):
        good = pl.scan_parquet(files.boilerplate, glob=False).filter(pl.col("label") == "good")
        blocks = good.select(columns).collect()
    blocks = blocks.join(kept, on=["record", "block"], how="semi", maintain_order="left").with_columns(cited=_CITED)
    asked = dict.fromkeys(signal for rule in own for signal in rule.signals)
    values = blocks.select(
        "record", "block", **{name: _VALUES[name].cast(pl.Float64) for name in asked if name in _VALUES}
    )
    of_kernel = [name for name in asked if name in _OF_KERNEL]
    return values.hstack(_measured(blocks["text"], of_kernel)) if of_kernel else values


def _measured(texts: pl.Series, names: Sequence[str]) -> pl.DataFrame:
    kernel, columns = QualitySignals(), [SIGNALS.index(name) for name in names]
    parts = [kernel.measure(part.to_series().to_list())[:, columns] for part in texts.to_frame().iter_slices(_AT_ONCE)]
    return pl.DataFrame(np.concatenate([np.empty((0, len(names))), *parts]), list(names), orient="row")


def without_blocks(rows: pl.DataFrame, out: pl.DataFrame) -> pl.DataFrame:
    """Returns decided documents with the lists of blocks that are left out; one without a block is removed.

    Args:
        rows: record, failed, verdict and others.
        out: of `left_out`.
    """
    kept, emptied = pl.col("verdict") == KEPT, pl.col("left") == 0
    nothing = {name: pl.lit([], schemas.QUALITY[name]) for name in _LISTS}
    return (
        rows.join(out, on="record", how="left", maintain_order="left")
        .with_columns(
            failed=pl.when(kept & emptied).then(pl.lit([NO_BLOCK_LEFT])).otherwise("failed"),
            verdict=pl.when(kept & emptied).then(pl.lit(EMPTIED)).otherwise("verdict"),
        )
        .with_columns(pl.when(kept).then(pl.col(name)).fill_null(empty) for name, empty in nothing.items())
        .drop("left")
    )
