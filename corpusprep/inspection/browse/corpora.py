"""The corpora of a results folder: their names, sizes and losses, and lists of their pages."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from corpusprep.archive.batches import read_batches
from corpusprep.errors import CorpusprepError, StageFileError
from corpusprep.inspection.records import batches_of
from corpusprep.inspection.url_index import UrlIndex, host_key
from corpusprep.io import tsv
from corpusprep.io.readable import percent, printable, thousands
from corpusprep.languages import descriptions
from corpusprep.pipeline import DECIDING
from corpusprep.report.size_table import STAGES as STAGE_NAMES
from corpusprep.tables.batch_files import BatchFiles, corpus_file, is_packed
from corpusprep.tables.crawl_files import is_crawl, language_folders
from corpusprep.tables.reading import reading
from corpusprep.tables.verdicts import KEPT, STAYING, WHOLE

#: Rows of a list of pages.
PAGES_AT_ONCE = 50

_TABLES = ("pages", *DECIDING[1:])


@dataclass(frozen=True, slots=True)
class ListedCorpus:
    """A corpus of the folder.

    Attributes:
        name: the name of its folder; for a language of a crawl, crawl/language.
        folder: the folder.
        language: name of its language; empty if it is not known yet.
        archives: number of its archives.
        stages: (stage, documents, words, share of the words of the stage before), ready to print; empty while it is
            not finished.
        problem: why it has no sizes; empty if it has.
        report: whether it has a report.
    """

    name: str
    folder: Path
    language: str
    archives: int
    stages: tuple[tuple[str, str, str, str], ...]
    problem: str
    report: bool


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page in a list: where it is, what it is called, and the stage that removed it (empty: it is in the corpus)."""

    batch: str
    record: int
    url: str
    title: str
    date: str
    stage: str
    reason: str
    words: int


def folders(results: Path) -> dict[str, Path]:
    """Returns the folders of the corpora in a results folder by name, sorted; or of the one that it is itself.

    A crawl of several languages stands for the corpora of its languages, with names such as `news/en`.

    Raises:
        StageFileError: there is none.
    """
    own = corpus_file(results, "plan").is_file()
    candidates = [results.resolve()] if own else sorted(path for path in results.iterdir() if path.is_dir())
    named: dict[str, Path] = {}
    for path in candidates:
        if is_crawl(path) and (languages := language_folders(path)):
            named |= {f"{path.name}/{language.name}": language for language in languages}
        elif corpus_file(path, "plan").is_file():
            named[path.name] = path
    if not named:
        raise StageFileError(f"{results}: no corpus here; give a results folder, such as results/, or a corpus's")
    return named


def describe(name: str, folder: Path) -> ListedCorpus:
    """Returns what the list of corpora shows; a corpus that is damaged or not finished has its problem instead."""
    try:
        batches = read_batches(corpus_file(folder, "plan"))
        archives = sum(len(batch.archives) for batch in batches)
    except CorpusprepError as error:
        return ListedCorpus(name, folder, "", 0, (), str(error), False)
    stages: tuple[tuple[str, str, str, str], ...] = ()
    problem = str(StageFileError.packed(folder)) if is_packed(folder) else ""
    try:
        sizes = corpus_file(folder, "corpus_size")
        if sizes.is_file():
            stages = tuple(
                (
                    STAGE_NAMES.get(row["stage"], row["stage"]),
                    thousands(row["documents"]),
                    thousands(row["words"]),
                    percent(row["words_percent_of_previous"]),
                )
                for row in tsv.read(sizes, ["stage", "documents", "words", "words_percent_of_previous"])
            )
        else:
            problem = problem or "not finished: it has no statistics yet; run the workflow"
    except CorpusprepError as error:
        problem = str(error)
    report = corpus_file(folder, "report").is_file()
    return ListedCorpus(
        name, folder, _language(folder, batches[0].name if batches else ""), archives, stages, problem, report
    )


def _language(folder: Path, batch: str) -> str:
    path = BatchFiles.of(folder, batch).language
    if not path.is_file():
        return ""
    try:
        with reading(path):
            rows = pl.scan_parquet(path, glob=False).select("lang").head(1).collect()
    except CorpusprepError:
        return ""
    code = rows["lang"][0] if rows.height else ""
    described = descriptions.find(code) if code else None
    return printable(described.name if described else code or "", 40)


def pages(folder: Path, batch: str, after: int = -1, fate: str = "") -> list[ListedPage]:
    """Returns pages of a batch, in the order of its records.

    Args:
        folder: of the corpus.
        batch: name of the batch.
        after: the record after which the list starts.
        fate: `kept` or `removed`: only such pages; empty: all.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    files = BatchFiles.of(folder, batch)
    listed_pages: list[ListedPage] = []
    while len(listed_pages) < PAGES_AT_ONCE:
        with reading(files.encoding):
            rows = (
                pl.scan_parquet(files.encoding, glob=False)
                .filter((pl.col("verdict") == KEPT) & (pl.col("record") > after))
                .select("batch", "record", "url", "date")
                .head(4 * PAGES_AT_ONCE)
                .collect()
            )
        if not rows.height:
            break
        after = rows["record"][-1]
        listed = _listed(files, rows)
        listed_pages += [page for page in listed if not fate or (fate == KEPT) == (not page.stage)]
    return listed_pages[:PAGES_AT_ONCE]


def of_host(folder: Path, host: str) -> list[tuple[str, int, str]]:
    """Returns records of a host: batch, record and URL, in the order of URLs; up to PAGES_AT_ONCE.

    Raises:
        StageFileError: a table is missing or damaged.
    """
    index = corpus_file(folder, "urls")
    if index.is_file():
        rows = UrlIndex.open(index).beginning(host_key(host), PAGES_AT_ONCE)
        return list(rows.select("batch", "record", "url").iter_rows())
    places: list[tuple[str, int, str]] = []
    for batch in batches_of(folder):
        path = BatchFiles.of(folder, batch.name).encoding
        if not path.is_file():
            continue
        with reading(path):
            hits = pl.scan_parquet(path, glob=False).filter(pl.col("host") == host).head(PAGES_AT_ONCE)
            places += hits.select("batch", "record", "url").collect().iter_rows()
    return sorted(places, key=lambda place: (place[2], place[0], place[1]))[:PAGES_AT_ONCE]


def _listed(files: BatchFiles, rows: pl.DataFrame) -> list[ListedPage]:
    records = rows["record"].implode()
    fates: dict[str, dict[int, dict[str, object]]] = {}
    for name in _TABLES:
        path = getattr(files, name)
        if not path.is_file():
            continue
        columns = ["record", "verdict", *(["title", "words"] if name == "pages" else [])]
        with reading(path):
            table = pl.scan_parquet(path, glob=False).filter(pl.col("record").is_in(records)).select(columns).collect()
        if name == "blocks":
            verdict = pl.col("verdict")
            whole = pl.coalesce(verdict.filter(verdict.is_in(WHOLE)).first(), pl.lit("no_block_left"))
            left = pl.when(verdict.is_in(STAYING).any()).then(pl.lit(KEPT)).otherwise(whole)
            table = table.group_by("record").agg(verdict=left)
        fates[name] = {row["record"]: row for row in table.iter_rows(named=True)}
    listed = []
    for batch, record, url, date in rows.iter_rows():
        stage, reason = "", KEPT
        for name in _TABLES:
            fate = str(fates.get(name, {}).get(record, {}).get("verdict") or "")
            if fate and fate not in STAYING:
                stage, reason = ("boilerplate" if name == "pages" else name), fate
                break
        about = fates.get("pages", {}).get(record, {})
        words = about.get("words")
        listed.append(
            ListedPage(
                batch,
                record,
                url or "",
                str(about.get("title") or ""),
                date or "",
                stage,
                reason,
                words if isinstance(words, int) else 0,
            )
        )
    return listed
