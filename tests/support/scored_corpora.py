"""Made-up corpora whose blocks are decided by stored scores: what thresholds are tried on."""

import random
from pathlib import Path

import numpy as np
import polars as pl
from support.corpus_fixture import HOSTILE
from support.corpus_layout import write_lists

from corpusprep.cleaners.content.cleaner import Content, ContentSettings
from corpusprep.cleaners.interface import LABELS, VERDICTS, Algorithm
from corpusprep.cleaners.justext import JusText, Thresholds
from corpusprep.io import tsv
from corpusprep.pages.features import KINDS
from corpusprep.tables import schemas
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import write_table

THRESHOLDS = Thresholds(max_link_density=0.3, length_low=8, stopwords_low=0.25, length_high=22, stopwords_high=0.3)
SETTINGS = ContentSettings(threshold=0.55, keep_comments=False, keep_title=False, keep_tables=False, keep_code=True)


def write(folder: Path, kind: str, batches: int = 2, pages: int = 25, seed: int = 3) -> pl.DataFrame:
    """Writes batches.tsv, the tables up to `boilerplate` and thresholds.tsv; returns the table of blocks.

    Args:
        folder: of the corpus.
        kind: justext, content, or scores: a learned algorithm without kinds of blocks.
        batches: number of batches.
        pages: number of pages per batch.
        seed: of the dice.
    """
    dice = random.Random(seed)
    names = [f"b{number:016x}" for number in range(batches)]
    write_lists(folder, names)
    algorithm: Algorithm = JusText(THRESHOLDS) if kind == "justext" else Content(SETTINGS)
    frames = []
    for name in names:
        rows = [
            {"batch": name, "record": record, "block": block, **_block(dice, kind)}
            for record in range(pages)
            for block in range(dice.choice([1, 4, 9, 20]))
        ]
        blocks = pl.DataFrame(rows, schema=schemas.BOILERPLATE)
        if kind == "scores":
            good = blocks["score"].to_numpy() >= 550
            codes = np.where(good, 0, VERDICTS.index("score"))
            labels = np.where(good, LABELS.index("good"), 0)
        else:
            classes = algorithm.classify_stored(blocks.with_columns(verdict=_rules(blocks)))
            good, codes, labels = classes.good, classes.verdicts, classes.context_free
        blocks = blocks.with_columns(
            pl.Series("context_free_label", [LABELS[label] for label in labels]),
            pl.Series("label", ["good" if one else "bad" for one in good]),
            pl.Series("verdict", [VERDICTS[code] for code in codes]),
        )
        write_table(blocks, schemas.BOILERPLATE, folder / "boilerplate" / f"{name}.parquet")
        _write_pages(folder, name, blocks, dice)
        frames.append(blocks)
    if kind == "justext":
        used = {name: getattr(THRESHOLDS, name) for name in Thresholds.__slots__}
    else:
        used = {"threshold": 0.55}
    rows = [
        (name, f"{value:g}", used_now, 0, "0.0", "") for name, one in used.items() for value, used_now in ((one, 1),)
    ]
    columns = ("parameter", "value", "used", "words_kept", "words_kept_percent", "gold_f1")
    (folder / "statistics").mkdir()
    tsv.write(folder / "statistics" / "thresholds.tsv", columns, [("preset", "A", 0, 0, "0.0", ""), *rows])
    return pl.concat(frames)


def _rules(blocks: pl.DataFrame) -> pl.Series:
    """The verdicts that come before all thresholds, where the text asks for them."""
    return blocks.select(
        pl.when(pl.col("text").str.contains("©")).then(pl.lit("copyright")).otherwise(pl.lit(KEPT)).alias("verdict")
    )["verdict"]


def _block(dice: random.Random, kind: str) -> dict[str, object]:
    length = dice.choice([2, 7, 9, 15, 23, 40])
    text = (
        dice.choice(HOSTILE[:4]) if dice.random() < 0.2 else " ".join(dice.choices(["the", "river", "ran"], k=length))
    )
    learned = kind != "justext"
    return {
        "tag": "p",
        "heading": dice.random() < 0.1,
        "text": text if dice.random() > 0.05 else f"© {text}",
        "words": length,
        "link_density": dice.choice([0.0, 0.0, 0.0, 0.25, 0.35, 0.9]),
        "stopword_density": round(dice.random() * 0.6, 3),
        "score": dice.randrange(1001) if learned else None,
        "kind": dice.choice(KINDS) if kind == "content" else None,
    }


def _write_pages(folder: Path, name: str, blocks: pl.DataFrame, dice: random.Random) -> None:
    records = sorted(set(blocks["record"]))
    encoding = [
        {
            "batch": name,
            "record": record,
            "archive": "x.warc",
            "offset": 100 * record,
            "length": 100,
            "record_type": "response",
            "url": f'http://{name}.example/{record}?q=<script>alert("url")</script>',
            "host": f"{name}.example",
            "date": "2024-01-01T00:00:00Z",
            "page_digest": f"{record:032x}",
            "verdict": KEPT,
        }
        for record in records
    ]
    pages = [
        {"batch": name, "record": record, "title": dice.choice(HOSTILE[:4]), "blocks": 1, "words": 1, "verdict": KEPT}
        for record in records
    ]
    write_table(
        pl.DataFrame(encoding, schema=schemas.ENCODING), schemas.ENCODING, folder / "encoding" / f"{name}.parquet"
    )
    write_table(pl.DataFrame(pages, schema=schemas.PAGES), schemas.PAGES, folder / "pages" / f"{name}.parquet")
