"""F1 of boilerplate removal with models that were learned from a crawl, beside the built-in ones.

The languages of FROM are taken for unknown: heliport names the language of the pages of news crawls, and a model is
made of the main text of those in the language, as in a run of a language without a model. jusText (preset A) is scored
by characters on the pages of DAnIEL with each model (stop_lists.counted). The crawls have the same pages, so there is
a third row: each page is cleaned with a model of the three quarters of the pages that it is not in.
"""

import hashlib
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import polars as pl

from corpusprep import languages
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding.pages import read_archives
from corpusprep.errors import ArchiveError
from corpusprep.extraction.language_texts import find_texts, learn
from corpusprep.languages import LanguageModel, making
from corpusprep.languages.judges import judge_of
from corpusprep.languages.labelled_texts import unpacked
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table
from studies.languages.choosers import NOT_INSTALLED
from studies.languages.stop_lists import Page, counted, daniel_pages, score

COLUMNS = ("language", "model", "pages", "learned_from", "stop_list", "precision", "recall", "f1", "sha256")
FROM = ("el", "pl", "ru", "zh")
KINDS = ("built in", "learned", "learned from other pages")
_IDENTIFIER = "heliport"
_MOST = 5_000
_PARTS = 4


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the table, in the order of COLUMNS; scores in per cent.

    Without the identifier, one row says so.

    Raises:
        ArchiveError: a set is missing.
    """
    with unpacked(folder, "daniel-dev") as (data, digest):
        gold = daniel_pages(data)
    archives = sorted((folder / "crawl").glob("news-*.warc.gz"))
    if not archives:
        raise ArchiveError(f"{folder / 'crawl'}: has no news-*.warc.gz")
    if find_spec(_IDENTIFIER) is None:
        yield "", NOT_INSTALLED, *[""] * 6, digest
        return
    for code in FROM:
        pages, texts = gold[code], _texts(code, archives)
        quarters = [[page for page in pages if _part(_digest(page)) == part] for part in range(_PARTS)]
        others = [texts.filter(pl.col("digest").map_elements(_part, pl.Int64) != part) for part in range(_PARTS)]
        for kind, parts, sources in zip(KINDS, ([pages], [pages], quarters), ([], [texts], others), strict=True):
            models = [_learned(code, source) for source in sources] or [languages.get(code)]
            sums = [sum(values) for values in zip(*map(counted, parts, models), strict=True)]
            sizes = (" ".join(map(str, map(len, each))) for each in (sources, (model.stop_list for model in models)))
            yield code, kind, str(len(pages)), *sizes, *(f"{100 * value:.1f}" for value in score(*sums)), digest


def _texts(code: str, archives: Sequence[Path]) -> pl.DataFrame:
    """Returns the texts of archives in a language, as the identifier names it: schemas.LANGUAGE_TEXTS."""
    nothing = languages.blank(code)
    encoding = read_archives("b", archives, nothing, default_page_rules(), "detected")
    return find_texts(encoding, judge_of(nothing, [], 0.0, _IDENTIFIER, wanted=code), _MOST)


def _learned(code: str, texts: pl.DataFrame) -> LanguageModel:
    """Makes the model of a language from texts, as if it were not built in."""
    others = [other for other in languages.known() if other != code]
    with (
        TemporaryDirectory() as folder,
        mock.patch.object(making, "known", return_value=others),
        mock.patch.object(making, "find", return_value=None),
    ):
        table = Path(folder) / "texts.parquet"
        write_table(texts, schemas.LANGUAGE_TEXTS, table)
        return learn([table], code, _MOST, _IDENTIFIER)


def _digest(page: Page) -> str:
    return hashlib.md5(page.data, usedforsecurity=False).hexdigest()


def _part(digest: str) -> int:
    return int(digest[-1], 16) % _PARTS
