"""The yield of the hosts in archives that others crawled: what a crawl by yield would have seen."""

from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path

from corpusprep.archive.inputs import records
from corpusprep.archive.records import host
from corpusprep.crawling.judging import PageJudge
from corpusprep.crawling.limits import CONTENT_TYPES
from corpusprep.crawling.yields import Yields
from corpusprep.io.progress import track


def of_archives(archives: Iterable[Path], language: str) -> Yields:
    """Judges the responses in archives, in their order; their bytes are counted in decoded bodies.

    A host that a crawl would have left is `yield` from there on; its later documents are counted, too.

    Raises:
        ArchiveError: an archive cannot be read.
        LanguageError: the language is unknown.
    """
    judge = PageJudge(language)
    yields = Yields()
    responses = (
        record
        for archive in archives
        for record in records(archive)
        if record.record_type == "response" and record.verdict is None and host(record.url)
    )
    for record in track(responses, "yield: responses"):
        is_page = record.status == HTTPStatus.OK and record.content_type in (*CONTENT_TYPES, "")
        clean = judge.clean_bytes(record.body) if is_page else 0
        yields.add(host(record.url), record.body_bytes, clean, is_page=is_page)
    return yields
