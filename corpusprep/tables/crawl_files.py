"""The files of a crawl of several languages. The files of its page stages are in batch_files."""

from pathlib import Path

from corpusprep.errors import StageFileError
from corpusprep.tables.batch_files import corpus_file

#: The tables that each language gets its rows of.
PARTS = ("encoding", "pages", "boilerplate")


def found_file(crawl: Path, batch: str) -> Path:
    """Returns the path of the table of a batch's pages with the language of each."""
    return crawl / "found" / f"{batch}.parquet"


def parts_folder(crawl: Path, batch: str) -> Path:
    """Returns the folder of a batch's tables, divided by language."""
    return crawl / "parts" / batch


def part_file(crawl: Path, batch: str, language: str, table: str) -> Path:
    """Returns the path of a language's rows of one of PARTS, or of the first of them if there are many."""
    return parts_folder(crawl, batch) / f"{language}.{table}.parquet"


def further_part_file(first: Path, number: int) -> Path:
    """Returns the path of more of the rows of `part_file`; numbers from 1 on."""
    return first.with_suffix(f".{number}.parquet")


def part_files(crawl: Path, batch: str, language: str, table: str) -> list[Path]:
    """Returns the files that have a language's rows of one of PARTS, in order; none if it has no rows."""
    files = [part_file(crawl, batch, language, table)]
    while files[-1].exists():
        files.append(further_part_file(files[0], len(files)))
    return files[:-1]


def division_file(crawl: Path) -> Path:
    """Returns the path of the table of the languages' batches."""
    return crawl / "division.tsv"


def languages_file(crawl: Path) -> Path:
    """Returns the path of the table of all languages, with what is left of each."""
    return crawl / "languages.tsv"


def ledger_file(crawl: Path) -> Path:
    """Returns the path of the ledger over all languages."""
    return crawl / "ledger.tsv"


def is_crawl(folder: Path) -> bool:
    """Returns whether a folder has a crawl that was divided by language."""
    return division_file(folder).is_file()


def corpus_name(folder: Path) -> str:
    """Returns the name of a corpus: its folder's; of a language of a crawl, behind the crawl's."""
    crawl = folder.resolve().parent
    return f"{crawl.name}/{folder.resolve().name}" if is_crawl(crawl) else folder.resolve().name


def written_folder(folder: Path, *, exported: bool = False) -> Path:
    """Returns the folder that the text of a corpus is in: `export` if it was not written by batches.

    Args:
        folder: of the corpus.
        exported: it was not; otherwise the files that are there say so.
    """
    of_batches, export = folder / "corpus", folder / "export"
    written = of_batches.is_dir() and any(of_batches.iterdir())
    return export if exported or (export.is_dir() and not written) else of_batches


def language_folders(crawl: Path) -> list[Path]:
    """Returns the folders of the corpora of a crawl, sorted; none before they are begun."""
    return sorted(path for path in crawl.iterdir() if corpus_file(path, "plan").is_file())


def refuse_crawl(folder: Path) -> None:
    """Refuses the folder of a crawl of several languages, where the folder of one corpus is needed.

    Raises:
        StageFileError: the folder has a crawl; the message names the folder of one of its languages.
    """
    if not is_crawl(folder):
        return
    languages = language_folders(folder)
    todo = (
        f"give the folder of one of them, such as {languages[0]}" if languages else "run the workflow: it divides them"
    )
    raise StageFileError(f"{folder}: a crawl of several languages; {todo}")
