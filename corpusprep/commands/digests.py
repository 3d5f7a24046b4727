"""`corpusprep step digests` and `corpusprep check files`: digests of the files of a corpus."""

import sys
from pathlib import Path

import click

from corpusprep.archive.batches import batch_names
from corpusprep.commands import options
from corpusprep.corpus.formats import KIND, corpus_formats, output_formats
from corpusprep.errors import StageFileError
from corpusprep.io import digests
from corpusprep.tables.batch_files import corpus_file
from corpusprep.tables.crawl_files import is_crawl, language_folders, written_folder


@click.command("digests")
@options.corpus
@options.setting("corpus.formats", kind=KIND)
@options.code
def command(corpus: Path, formats: tuple[str, ...], code: Path) -> None:
    """Write the digests (SHA-256) of the files of a finished corpus: SHA256SUMS."""
    folder = corpus / "corpus"
    suffixes = [form.suffix for form in output_formats(formats, code).values()]
    paths = [folder / f"{batch}.{suffix}" for batch in batch_names(corpus_file(corpus, "plan")) for suffix in suffixes]
    paths += [path for form in corpus_formats(formats, code).values() for path in form.paths(folder)]
    digests.write(paths, folder)


@click.command("files")
@options.corpora
def check(corpora: tuple[Path, ...]) -> None:
    """Compare the files of finished corpora with their digests.

    A corpus is given by its folder, that of its crawl, or any folder with SHA256SUMS. Names each file that is missing
    or is not as it was written; the exit code is then 1.
    """
    wrong = files = 0
    for corpus in corpora:
        for folder in _folders(corpus):
            for path, fault in digests.faults(folder):
                files += 1
                if fault:
                    wrong += 1
                    click.echo(f"{path}: {fault}")
    if wrong:
        raise StageFileError(
            f"{wrong:,} of {files:,} files are not as they were written; remove them and run the workflow, which makes"
            " them again"
        )
    print(f"{files:,} file{'s are as they were' if files != 1 else ' is as it was'} written", file=sys.stderr)


def _folders(corpus: Path) -> list[Path]:
    """Returns the folders with the files of a corpus, or of all languages of a crawl."""
    if (corpus / digests.NAME).is_file():
        return [corpus]
    return [written_folder(folder) for folder in (language_folders(corpus) if is_crawl(corpus) else [corpus])]
