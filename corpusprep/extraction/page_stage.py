"""Classifies the blocks of the pages of a batch, each page in its language (stage `boilerplate`)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from corpusprep.archive.accepted_pages import accepted_pages, extracted_texts
from corpusprep.archive.robots_txt import Robots
from corpusprep.cleaners.interface import Algorithm, SidePages
from corpusprep.extraction.page_languages import PageLanguages
from corpusprep.extraction.page_rows import CHUNK_BYTES, Capture, Chunks, ParsedPage
from corpusprep.extraction.templates import Templates
from corpusprep.io.progress import track
from corpusprep.pages.segmentation import Segmenter
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import TableWriter

#: Bytes of pages that are held until their blocks become rows: each language among them is a frame of its own.
HELD_BYTES = 2 * CHUNK_BYTES


@dataclass(slots=True, frozen=True)
class PageOptions:
    """What is the same for all pages of a batch.

    Attributes:
        classifier: the boilerplate algorithm.
        own: the algorithm of languages that have another, by code. None compares pages.
        references: the tables of all batches with the further pages that the algorithm compares pages with
            (Algorithm.side_table).
        composed: whether texts, titles and metadata are in normalisation form C; otherwise they are as in the page.
        texts_kept: whether all paragraphs of texts that others have extracted are good, with the tag TEXT_TAG.
        refuse: marks of rights (archive.rights.MARKS); of a page with one of them, only the verdict is stored.
        templates: the table schemas.TEMPLATE_SHARES; None: templates are not looked for.
        least_share: blocks on this share of the pages of their host are no main content; None: they may be.
        robots: the tables schemas.ROBOTS of all batches, and the user agent; None: robots.txt is not looked at.
        keeps: whether text that is not shown stays, and readings (Segmenter.keeps_hidden, keeps_readings).
        keeps_repeated: whether text that a page has twice may be good twice.
    """

    classifier: Algorithm
    own: Mapping[str, Algorithm] = field(default_factory=dict)
    references: Sequence[Path] = ()
    texts_kept: bool = True
    composed: bool = True
    refuse: Collection[str] = ()
    templates: Path | None = None
    least_share: float | None = None
    robots: tuple[Sequence[Path], str] | None = None
    keeps: tuple[bool, bool] = (False, False)
    keeps_repeated: bool = False


@dataclass(slots=True, frozen=True)
class _SideTables:
    """What other tables say of the pages of a batch."""

    references: SidePages | None
    templates: Templates | None
    kept: Collection[int]
    captures: Mapping[int, Capture]

    @classmethod
    def open(cls, encoding: pl.DataFrame, options: PageOptions) -> "_SideTables":
        """Reads the side tables of a batch with this table of `encoding`."""
        further = options.classifier.side_table
        return cls(
            None if further is None else further.open(encoding, options.references),
            None if options.templates is None else Templates(encoding, options.templates),
            *about_pages(encoding, options.texts_kept, options.robots),
        )


def classify_batch(encoding: Path, languages: PageLanguages, options: PageOptions, blocks: TableWriter) -> pl.DataFrame:
    """Classifies the blocks of every page of a batch, in the language of the page.

    Args:
        encoding: the batch's table of `encoding`.
        languages: says which language a page is in. A page without letters may have none: no stop words count.
        options: what is the same for all pages.
        blocks: where the rows of schemas.BOILERPLATE go, some pages at a time.

    Returns:
        The table schemas.PAGES.

    Raises:
        ModelError: the algorithm's model is damaged, or of another version or language.
        OwnCodeError: a user's own cleaner fails, or does not keep its interface; names the record.
    """
    languages.check(options.classifier)
    rows = read_table(encoding, schemas.ENCODING)
    tables = _SideTables.open(rows, options)
    if options.own or languages.divides(options.classifier):
        return _classify_divided(rows, languages, options, tables, blocks)
    chunks = _chunks(rows, languages, options.classifier, None, options, tables, blocks)
    for page in parsed_pages(rows):
        chunks.add(page)
    chunks.flush()
    return pl.concat(chunks.pages)


def _chunks(
    encoding: pl.DataFrame,
    languages: PageLanguages,
    algorithm: Algorithm,
    code: str | None,
    options: PageOptions,
    tables: _SideTables,
    blocks: "TableWriter | _Gathered",
) -> Chunks:
    """Returns what turns the pages of an algorithm, in one language or in all, into rows."""
    segmenter = languages.segmenter(algorithm, code)
    if isinstance(segmenter, Segmenter):
        segmenter.keeps_hidden, segmenter.keeps_readings = options.keeps
    if not options.composed:
        segmenter.keep_composition()
    return Chunks(
        batch_of(encoding),
        segmenter,
        algorithm,
        blocks,
        tables.references if algorithm is options.classifier else None,
        tables.kept,
        tables.captures,
        options.refuse,
        tables.templates,
        options.least_share,
        composed=options.composed,
        keeps_repeated=options.keeps_repeated,
    )


class _Gathered:
    """Holds rows of blocks until the rows of all languages are there."""

    def __init__(self) -> None:
        self.frames: list[pl.DataFrame] = []

    def extend(self, frame: pl.DataFrame) -> None:
        """Adds rows."""
        self.frames.append(frame)


def _classify_divided(
    encoding: pl.DataFrame,
    languages: PageLanguages,
    options: PageOptions,
    tables: _SideTables,
    blocks: TableWriter,
) -> pl.DataFrame:
    """Classifies pages whose language decides how they are cut, or by which algorithm they are classified."""
    gathered = _Gathered()
    chunks: dict[tuple[int, str | None], Chunks] = {}

    def chunks_of(code: str | None) -> Chunks:
        algorithm = options.own.get(code or "", options.classifier)
        key = id(algorithm), code if languages.divides(algorithm) else None
        if key not in chunks:
            chunks[key] = _chunks(encoding, languages, algorithm, code, options, tables, gathered)
        return chunks[key]

    pages: list[pl.DataFrame] = []
    route = _Route(languages)
    held = 0

    def flush() -> None:
        for page, code in route.take():
            chunks_of(code).add(page)
        for part in chunks.values():
            part.flush()
            pages.extend(part.pages)
            part.pages = []
        cut = pl.concat([schemas.BOILERPLATE.to_frame(), *gathered.frames])
        blocks.extend(cut.sort("record", "block"))
        gathered.frames.clear()

    for page in parsed_pages(encoding):
        route.add(page)
        held += page.size
        if held >= HELD_BYTES:
            flush()
            held = 0
    flush()
    return pl.concat(
        [schemas.PAGES.to_frame(), *(page.select(schemas.PAGES.names()).cast(schemas.PAGES) for page in pages)]
    ).sort("record")


class _Route:
    """Finds the languages of pages before they are cut as such."""

    def __init__(self, languages: PageLanguages) -> None:
        self._languages = languages
        self._segmenter = Segmenter(())
        self._pages: list[ParsedPage] = []

    def add(self, page: ParsedPage) -> None:
        """Adds a page."""
        self._segmenter.add(page.root)
        self._pages.append(page)

    def take(self) -> list[tuple[ParsedPage, str | None]]:
        """Returns the pages added since the last call, with the code of the language of each."""
        pages, self._pages = self._pages, []
        return list(zip(pages, self._languages.of_pages(self._segmenter.take()), strict=True))


def batch_of(encoding: pl.DataFrame) -> str:
    """Returns the name of the batch of a table of `encoding`; empty if it has no rows."""
    return encoding["batch"][0] if len(encoding) else ""


def about_pages(
    encoding: pl.DataFrame, texts_kept: bool, robots: tuple[Sequence[Path], str] | None = None
) -> tuple[Collection[int], Mapping[int, Capture]]:
    """Returns the records of texts that are kept as a whole; and what the capture says of each page."""
    texts = encoding.filter(extracted_texts())["record"].to_list() if texts_kept else ()
    about = encoding.filter(verdict=KEPT).select(
        "record", *(pl.col(name).fill_null("") for name in ("url", "date", "rights")), extracted_texts()
    )
    by_record = {
        record: Capture(url, date, rights, is_text=is_text) for record, url, date, rights, is_text in about.iter_rows()
    }
    if robots is not None:
        rules = Robots(encoding.filter(verdict=KEPT)["host"].drop_nulls(), *robots)
        by_record = {
            record: capture._replace(rights=f"{capture.rights} {rules.mark(capture.url, capture.date)}".strip())
            for record, capture in by_record.items()
        }
    return texts, by_record


def parsed_pages(encoding: pl.DataFrame) -> Iterator[ParsedPage]:
    """Yields the pages of a batch in record order; shows progress."""
    kept = int((encoding["verdict"] == KEPT).sum())
    for page in track(accepted_pages(encoding), "boilerplate: pages", total=kept):
        yield ParsedPage.of(page)
