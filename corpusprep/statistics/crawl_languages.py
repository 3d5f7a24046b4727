"""Counts a crawl of several languages: where each record, page, block and word went, by language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from corpusprep.archive.batches import batch_names
from corpusprep.io import tsv
from corpusprep.io.progress import track
from corpusprep.pipeline import ALWAYS_DECIDING, DECIDING
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.crawl_files import found_file, languages_file, ledger_file
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

#: Columns of languages.tsv: what was found, and what is left of a language's corpus after each stage.
FOUND = ("language", "verdict", "mixed", "documents", "blocks", "words")
LANGUAGE_COLUMNS = (
    *FOUND,
    *(f"{unit}_after_{stage}" for stage in ALWAYS_DECIDING for unit in ("documents", "words")),
    "tokens_after_blocks",
)
#: Further columns, if a corpus of the crawl has the stage `quality`; others have the numbers after `blocks` there.
QUALITY_COLUMNS = ("documents_after_quality", "words_after_quality", "tokens_after_quality")
LEDGER_COLUMNS = ("stage", "unit", "language", "verdict", "count")
#: The stage that divides the pages of a crawl, in its ledger.
DIVISION = "languages"

#: The reason of pages whose language has too little text for a corpus.
SMALL = "small_language"
_UNITS = ("document", "block", "word")
Key = tuple[str, str]


@dataclass
class CrawlCounts:
    """The counts of a crawl.

    Attributes:
        records: verdict of `encoding` -> records and their bytes as stored.
        pages: language and verdict -> documents, blocks and words, mixed documents, and further portions of documents
            that are divided. The verdict is `kept` for pages that go to the corpus of the language.
    """

    records: dict[str, list[int]] = field(default_factory=dict)
    pages: dict[Key, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, crawl: Path, languages: Sequence[str]) -> "CrawlCounts":
        """Counts the batches of a crawl.

        Args:
            crawl: its folder.
            languages: codes of the languages that have a corpus.

        Raises:
            StageFileError: a table is missing or damaged.
        """
        counts = cls({KEPT: [0, 0]}, {(code, KEPT): [0, 0, 0, 0, 0] for code in languages})
        batches = batch_names(corpus_file(crawl, "plan"))
        for batch in track(batches, "languages: batches", total=len(batches)):
            records = read_table(BatchFiles.of(crawl, batch).encoding, schemas.ENCODING, ["verdict", "length"])
            for verdict, *numbers in records.group_by("verdict").agg(pl.len(), pl.col("length").sum()).iter_rows():
                _add(counts.records.setdefault(verdict, [0, 0]), numbers)
            languages_of_pages = read_table(found_file(crawl, batch), schemas.FOUND)
            sums = (
                languages_of_pages.with_columns(further=~pl.col("record").is_first_distinct())
                .group_by("corpus", "rest", "language")
                .agg(
                    pl.len(),
                    *(pl.col(name).cast(pl.Int64).sum() for name in ("blocks", "words", "mixed", "further")),
                )
            )
            for corpus, rest, language, *numbers in sums.iter_rows():
                small = corpus and corpus not in languages
                key = (corpus, SMALL if small else KEPT) if corpus else (language or "", rest)
                _add(counts.pages.setdefault(key, [0, 0, 0, 0, 0]), numbers)
        return counts


def _add(total: list[int], numbers: Sequence[int]) -> None:
    total[:] = [number + other for number, other in zip(total, numbers, strict=True)]


def write_tables(crawl: Path, languages: Sequence[str]) -> None:
    """Writes languages.tsv and ledger.tsv of a crawl, from its tables and the statistics of its languages.

    Args:
        crawl: its folder.
        languages: codes of the languages that have a corpus.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    counts = CrawlCounts.of(crawl, languages)
    columns, rows = _languages(crawl, counts)
    tsv.write(languages_file(crawl), columns, rows)
    tsv.write(ledger_file(crawl), LEDGER_COLUMNS, _ledger(crawl, counts, languages))


def _languages(crawl: Path, counts: CrawlCounts) -> tuple[tuple[str, ...], list[tuple[tsv.Cell, ...]]]:
    """Returns columns, and the languages with a corpus, those with most words first, then the rest."""
    rows: list[tuple[tsv.Cell, ...]] = []
    kept = {code for code, verdict in counts.pages if verdict == KEPT}
    sizes_of = {
        code: {row["stage"]: row for row in tsv.read(crawl / code / "statistics" / "corpus_size.tsv")} for code in kept
    }
    filtered = any("quality" in sizes for sizes in sizes_of.values())
    columns = LANGUAGE_COLUMNS + QUALITY_COLUMNS * filtered
    for code, verdict in sorted(counts.pages, key=lambda key: (key[1] != KEPT, -counts.pages[key][2], key)):
        documents, blocks, words, mixed, _ = counts.pages[code, verdict]
        left: list[tsv.Cell] = [""] * (len(columns) - len(FOUND))
        if verdict == KEPT:
            sizes = sizes_of[code]
            left = [sizes[stage][unit] for stage in ALWAYS_DECIDING for unit in ("documents", "words")]
            left.append(sizes["blocks"]["tokens"])
            if filtered:
                last = sizes.get("quality", sizes["blocks"])
                left += [last[unit] for unit in ("documents", "words", "tokens")]
        rows.append((code, verdict, mixed, documents, blocks, words, *left))
    return columns, rows


def corpus_number(row: Mapping[str, str], unit: str) -> str:
    """Returns what a row of the table says of a corpus after the last stage: its documents, words or tokens."""
    return row.get(f"{unit}_after_quality", row[f"{unit}_after_blocks"])


def _ledger(crawl: Path, counts: CrawlCounts, languages: Sequence[str]) -> list[tuple[tsv.Cell, ...]]:
    """Returns the rows of the ledger: `encoding` of the crawl, its division, then the stages of each language."""
    rows: list[tuple[tsv.Cell, ...]] = []
    records = sorted(counts.records, key=lambda verdict: (verdict != KEPT, verdict))
    for place, unit in enumerate(("record", "byte")):
        rows += [("encoding", unit, "", verdict, counts.records[verdict][place]) for verdict in records]
    keys = sorted(counts.pages, key=lambda key: (key[1] != KEPT, key[1], key[0]))
    for place, unit in enumerate((*_UNITS, "mixed_document", "further_document")):
        counted = [(DIVISION, unit, code, verdict, counts.pages[code, verdict][place]) for code, verdict in keys]
        # As with mended records: counted a second time, where there are any. Documents without the further ones, which
        # are portions of the same pages, are those that `encoding` kept.
        rows += counted if unit in _UNITS else [row for row in counted if row[-1]]
    own = {code: tsv.read(crawl / code / "statistics" / "ledger.tsv") for code in sorted(languages)}
    for stage in DECIDING:
        for code, ledger in own.items():
            rows += [
                (stage, row["unit"], code, row["verdict"], row["count"]) for row in ledger if row["stage"] == stage
            ]
    return rows
