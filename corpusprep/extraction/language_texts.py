"""Texts in a language of which there is no model, from the pages of a corpus; and the model that is made from them.

The main text of a page (`content`, which needs no language) is taken if an identifier that names languages keeps it.
Pages are taken by their digest: the same pages, whatever the batches, the archives and their order.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from corpusprep import languages
from corpusprep.archive.accepted_pages import accepted_pages
from corpusprep.encoding.charsets import decode
from corpusprep.errors import LanguageError
from corpusprep.extraction.library import extract_many
from corpusprep.io.progress import track
from corpusprep.languages.filtering import Judging
from corpusprep.tables import schemas
from corpusprep.tables.good_texts import good_texts
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import KEPT

#: A shorter text says too little about its language.
LEAST_CHARACTERS = 200
#: Pages that are looked at first, per page that is wanted; then twice as many, and so on.
FIRST_LOOK = 4
#: Words that are enough for a model: more change a stop list by less than one word in a hundred.
MOST_WORDS = 1_000_000


def find_texts(encoding: pl.DataFrame, judge: Judging, most: int, boilerplate: Path | None = None) -> pl.DataFrame:
    """Returns the texts of a batch in a language.

    Args:
        encoding: the batch's table of `encoding`.
        judge: keeps texts in the language.
        most: number of pages: those with the lowest digests, of all whose text is kept.
        boilerplate: the batch's table of blocks, whose good text is taken; None: there is none yet, so pages are read.

    Returns:
        The table schemas.LANGUAGE_TEXTS, by digest; of pages with the same bytes, one.

    Raises:
        StageFileError: an archive has changed since `encoding` read it.
    """
    pages = encoding.filter(verdict=KEPT).sort("page_digest", "url", "record").unique("page_digest", keep="first")
    pages = pages.sort("page_digest").select("record", "page_digest", "url")
    found: list[tuple[str, str, int, str]] = []
    start, size = 0, FIRST_LOOK * most
    while start < len(pages) and len(found) < most:
        looked_at = pages[start : start + size]
        about = {record: (digest, url or "") for record, digest, url in looked_at.iter_rows()}
        records = looked_at["record"].sort()
        texts = _of_pages(encoding, records) if boilerplate is None else _of_blocks(boilerplate, records)
        for record, text in track(texts, "languages: pages", len(looked_at)):
            if len(text) >= LEAST_CHARACTERS and judge(text).verdict == KEPT:
                found.append((*about[record], len(text.split()), text))
        start, size = start + size, 2 * size
    return pl.DataFrame(sorted(found)[:most], schema=schemas.LANGUAGE_TEXTS, orient="row")


def _of_pages(encoding: pl.DataFrame, records: pl.Series) -> Iterator[tuple[int, str]]:
    """Yields the number and the main text of pages, read from their archives."""
    chosen = pl.col("record").is_in(records.implode())
    rows = encoding.with_columns(verdict=pl.when(chosen).then(pl.lit(KEPT)).otherwise(pl.lit("other")))
    read: list[int] = []

    def markup() -> Iterator[str]:
        for page in accepted_pages(rows):
            text, _ = decode(page.body, page.encoding)
            read.append(page.record)
            yield f"<pre>{text.replace('&', '&amp;').replace('<', '&lt;')}</pre>" if page.plain else text

    for number, extraction in enumerate(extract_many(markup(), algorithm="content", threads=1)):
        yield read[number], extraction.text


def _of_blocks(boilerplate: Path, records: pl.Series) -> Iterator[tuple[int, str]]:
    """Yields the number and the good text of pages."""
    documents = pl.DataFrame({"record": records}).with_columns(left_out=pl.lit([], dtype=pl.List(pl.UInt32)))
    for text in good_texts(boilerplate, documents):
        yield text.record, "\n".join(text.texts)


def learn(tables: Sequence[Path], language: str, most: int, source: str) -> languages.LanguageModel:
    """Makes the model of a language from the texts of all batches.

    Args:
        tables: schemas.LANGUAGE_TEXTS of each batch.
        language: its code.
        most: number of pages.
        source: what has named the language of the pages.

    Returns:
        The model; its origin says what it was made from. With too little text, one without stop words and trigrams: its
        origin says so.

    Raises:
        StageFileError: a table cannot be read.
    """
    texts = pl.concat(
        [schemas.LANGUAGE_TEXTS.to_frame(), *(read_table(path, schemas.LANGUAGE_TEXTS) for path in tables)]
    )
    texts = texts.sort("digest", "url").unique("digest", keep="first").sort("digest")[:most]
    before = texts["words"].cum_sum().shift(1, fill_value=0)
    texts = texts.filter(before < MOST_WORDS)
    origin = f"{len(texts):,} pages of a crawl in {language}, as {source} names it"
    # A text that is on many pages would make its words too frequent.
    lines = list(dict.fromkeys(line for text in texts["text"] for line in text.split("\n")))
    try:
        return languages.make(language, lines, origin=origin)
    except LanguageError as error:
        return languages.blank(language, origin=f"no model from {origin}: {error}")
