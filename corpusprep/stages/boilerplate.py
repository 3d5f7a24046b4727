"""Stage `boilerplate`: pages to blocks, counted and classified (Pomikálek 2011, 2.7). All blocks are kept as rows."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep import charsets, html, languages, schemas
from corpusprep.algorithms.interface import LABELS, VERDICTS, Algorithm
from corpusprep.algorithms.registry import ALGORITHMS, algorithm
from corpusprep.archives import records
from corpusprep.errors import StageFileError
from corpusprep.parquet_parts import ParquetParts
from corpusprep.progress import track
from corpusprep.segmentation import TAGS, Segmenter, title_of
from corpusprep.threshold_options import threshold_options
from corpusprep.verdicts import KEPT

CHUNK_BYTES = 8_000_000  # of pages that are segmented before their blocks become rows


def accepted_pages(encoding: pl.DataFrame) -> Iterator[tuple[int, str, bytes]]:
    """Reads the bodies of the pages that `encoding` kept, archive by archive.

    Args:
        encoding: a batch's rows of `archive`, `record`, `encoding`, `payload_bytes`, `verdict`, in record order.

    Yields:
        (record, encoding, body)

    Raises:
        StageFileError: an archive has changed since `encoding` read it.
    """
    for (archive,), rows in encoding.group_by("archive", maintain_order=True):
        first = int(rows["record"][0])
        wanted = {
            record - first: (name, size)
            for record, name, size in rows.filter(verdict=KEPT)
            .select("record", "encoding", "payload_bytes")
            .iter_rows()
        }
        largest = max((size for _, size in wanted.values()), default=0)
        for record in records(Path(str(archive)), max_bytes=largest):
            if record.number in wanted:
                name, size = wanted.pop(record.number)
                if len(record.body) != size:
                    raise StageFileError(f"{archive}: changed since the stage encoding read it; run it again")
                yield first + record.number, name, record.body
        if wanted:
            raise StageFileError(f"{archive}: {len(wanted)} pages that the stage encoding read are not there now")


class _Chunks:
    """Pages on their way to rows: segmented and classified together, so that Python's cost is shared."""

    def __init__(self, batch: str, segmenter: Segmenter, classifier: Algorithm, blocks: ParquetParts) -> None:
        self._blocks = blocks
        self.pages: list[pl.DataFrame] = []
        self._batch = batch
        self._segmenter = segmenter
        self._classifier = classifier
        self._waiting: list[tuple[int, str, int, str]] = []  # record, title, undecodable, verdict of the parser
        self._bytes = 0

    def add(self, record: int, name: str, body: bytes) -> None:
        """Decodes, parses and segments a page."""
        text, undecodable = charsets.decode(body, name)
        root, verdict = None, KEPT
        try:
            root = html.parse(text)
        except html.PageError as error:
            verdict = error.verdict
        self._segmenter.add(root)
        self._waiting.append((record, title_of(root), undecodable, verdict))
        self._bytes += len(body)
        if self._bytes >= CHUNK_BYTES:
            self.flush()

    def flush(self) -> None:
        """Classifies the pages that wait and turns them into rows."""
        blocks = self._segmenter.take()
        classes = self._classifier.classify(blocks)
        first = blocks.pages[:-1]
        sizes = np.diff(blocks.pages)
        records, titles, undecodable, parsed = zip(*self._waiting, strict=True) if self._waiting else ([],) * 4
        within_page = np.arange(len(blocks)) - np.repeat(first, sizes)
        self._blocks.extend(
            pl.DataFrame(
                {
                    "record": np.repeat(np.array(records, np.uint32), sizes),
                    "block": within_page.astype(np.uint32),
                    "tag": _named(blocks.tags, TAGS),
                    "heading": blocks.heading,
                    "text": pl.Series(blocks.column(), dtype=pl.String),
                    "words": blocks.words,
                    "link_density": blocks.link_density,
                    "stopword_density": blocks.stopword_density,
                    "context_free_label": _named(classes.context_free, LABELS),
                    "label": _named(classes.good, ("bad", "good")),
                    "verdict": _named(classes.verdicts, VERDICTS),
                }
            ).select(pl.lit(self._batch).alias("batch"), pl.all())
        )
        good = _sums(classes.good, first)
        verdicts = np.where(sizes == 0, "no_text", np.where(good == 0, "no_good_block", KEPT))
        self.pages.append(
            pl.DataFrame(
                {
                    "record": np.array(records, np.uint32),
                    "title": pl.Series(titles, dtype=pl.String),
                    "undecodable": np.array(undecodable, np.uint32),
                    "blocks": sizes,
                    "words": _sums(blocks.words, first),
                    "good_blocks": good,
                    "good_words": _sums(np.where(classes.good, blocks.words, 0), first),
                    "verdict": pl.Series(
                        [said if said != KEPT else str(found) for said, found in zip(parsed, verdicts, strict=True)],
                        dtype=pl.String,
                    ),
                }
            ).select(pl.lit(self._batch).alias("batch"), pl.all())
        )
        self._waiting, self._bytes = [], 0


def _named(codes: NDArray[np.uint8] | NDArray[np.bool_], names: Sequence[str]) -> pl.Series:
    """Codes as the names they stand for."""
    return pl.Series(names, dtype=pl.String).gather(codes.astype(np.uint32))


def _sums(values: NDArray[Any], first: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum over each page's blocks; `first` are the numbers of the pages' first blocks."""
    totals = np.concatenate([np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)])
    ends = np.append(first[1:], len(values))
    sums: NDArray[np.int64] = totals[ends] - totals[first]
    return sums


def classify_batch(
    encoding: Path, model: languages.LanguageModel, classifier: Algorithm, blocks: ParquetParts
) -> pl.DataFrame:
    """Classifies the blocks of every page of a batch.

    Args:
        encoding: the batch's table of `encoding`.
        model: the corpus language.
        classifier: the boilerplate algorithm.
        blocks: where the rows of schemas.BOILERPLATE go, some pages' at a time.

    Returns:
        The table schemas.PAGES.
    """
    rows = schemas.read(encoding, schemas.ENCODING)
    segmenter = Segmenter(model.stop_words, model.characters_per_word, structure=classifier.structure)
    chunks = _Chunks(rows["batch"][0] if len(rows) else "", segmenter, classifier, blocks)
    kept = int((rows["verdict"] == KEPT).sum())
    for record, name, body in track(accepted_pages(rows), "boilerplate: pages", total=kept):
        chunks.add(record, name, body)
    chunks.flush()
    return pl.concat(chunks.pages)


@click.command("boilerplate")
@click.option("--encoding", required=True, type=click.Path(path_type=Path), help="The batch's table of `encoding`.")
@click.option("--model", required=True, help="The corpus language: a .model file or a built-in language's code.")
@click.option("--algorithm", "name", default="justext", type=click.Choice(ALGORITHMS))
@threshold_options
@click.option("--pages", required=True, type=click.Path(path_type=Path), help="Where the table of pages goes.")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="Where the table of blocks goes.")
def command(
    encoding: Path,
    model: str,
    name: str,
    preset: str,
    pages: Path,
    output: Path,
    **thresholds: Any,
) -> None:
    """Segment the pages of a batch into blocks and classify them.

    Reads the pages from the archives that the table of `encoding` names; writes a row a block, of every
    class, and a row a page.
    """
    classifier = algorithm(name, preset, **thresholds)
    with ParquetParts(output, schemas.BOILERPLATE) as blocks:
        page_rows = classify_batch(encoding, languages.get(model), classifier, blocks)
    schemas.write(page_rows, schemas.PAGES, pages)
