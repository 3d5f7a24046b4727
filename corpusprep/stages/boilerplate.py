"""Stage `boilerplate`: pages to blocks, counted and classified (Pomikálek 2011, 2.7). All blocks are kept as rows."""

from collections.abc import Collection, Iterator
from pathlib import Path

import click
import polars as pl

from corpusprep import charsets, languages, schemas
from corpusprep.algorithms.interface import Algorithm
from corpusprep.algorithms.justext import PRESETS
from corpusprep.algorithms.registry import ALGORITHMS, algorithm
from corpusprep.archives import records
from corpusprep.columns import Columns
from corpusprep.errors import StageFileError
from corpusprep.pages import classify_page
from corpusprep.progress import track
from corpusprep.verdicts import KEPT


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


def classify_batch(
    encoding: Path, stop_words: Collection[str], classifier: Algorithm
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Classifies the blocks of every page of a batch.

    Returns:
        The tables schemas.BOILERPLATE and schemas.PAGES.
    """
    rows = schemas.read(encoding, schemas.ENCODING)
    blocks, pages = Columns(schemas.BOILERPLATE), Columns(schemas.PAGES)
    batch = rows["batch"][0] if len(rows) else ""
    kept = int((rows["verdict"] == KEPT).sum())
    for record, name, body in track(accepted_pages(rows), "boilerplate: pages", total=kept):
        text, undecodable = charsets.decode(body, name)
        classified = classify_page(text, stop_words, classifier)
        classes = classified.classes
        words = good_blocks = good_words = 0
        for number, block in enumerate(classified.page.blocks):
            label = classes.final[number]
            words += block.words
            if label == "good":
                good_blocks += 1
                good_words += block.words
            blocks.append(
                batch,
                record,
                number,
                block.tag,
                block.heading,
                block.text,
                block.words,
                block.link_density,
                block.stopword_density,
                classes.context_free[number],
                label,
                classes.verdicts[number],
            )
        pages.append(
            batch,
            record,
            classified.page.title,
            undecodable,
            len(classified.page.blocks),
            words,
            good_blocks,
            good_words,
            classified.verdict,
        )
    return blocks.frame(), pages.frame()


@click.command("boilerplate")
@click.option("--encoding", required=True, type=click.Path(path_type=Path), help="The batch's table of `encoding`.")
@click.option("--model", required=True, help="The corpus language: a .model file or a built-in language's code.")
@click.option("--algorithm", "name", default="justext", type=click.Choice(ALGORITHMS))
@click.option("--preset", default="A", type=click.Choice(list(PRESETS)), help="Setting of jusText's thresholds.")
@click.option("--max-link-density", type=click.FloatRange(0, 1), help="Over it a block is bad. [default: preset's]")
@click.option("--length-low", type=click.IntRange(0), help="Words under which a block is short. [default: preset's]")
@click.option("--length-high", type=click.IntRange(0), help="Words over which a block can be good. [default: preset's]")
@click.option("--stopwords-low", type=click.FloatRange(0, 1), help="Up to it a block is bad. [default: preset's]")
@click.option("--stopwords-high", type=click.FloatRange(0, 1), help="Over it, grammatical text. [default: preset's]")
@click.option("--pages", required=True, type=click.Path(path_type=Path), help="Where the table of pages goes.")
@click.option("--output", required=True, type=click.Path(path_type=Path), help="Where the table of blocks goes.")
def command(
    encoding: Path,
    model: str,
    name: str,
    preset: str,
    max_link_density: float | None,
    length_low: int | None,
    length_high: int | None,
    stopwords_low: float | None,
    stopwords_high: float | None,
    pages: Path,
    output: Path,
) -> None:
    """Segment the pages of a batch into blocks and classify them.

    Reads the pages from the archives that the table of `encoding` names; writes a row a block, of every
    class, and a row a page.
    """
    classifier = algorithm(
        name,
        preset,
        max_link_density=max_link_density,
        length_low=length_low,
        length_high=length_high,
        stopwords_low=stopwords_low,
        stopwords_high=stopwords_high,
    )
    block_rows, page_rows = classify_batch(encoding, languages.get(model).stop_words, classifier)
    schemas.write(page_rows, schemas.PAGES, pages)
    schemas.write(block_rows, schemas.BOILERPLATE, output)
