"""`corpusprep step boilerplate`: segment pages into blocks and classify them."""

from pathlib import Path
from typing import Any

import click

from corpusprep import languages
from corpusprep.archive.batches import batch_names
from corpusprep.cleaners import registry
from corpusprep.cleaners.interface import Algorithm
from corpusprep.commands import options
from corpusprep.errors import ConfigError
from corpusprep.extraction.page_languages import OneLanguage, SeveralLanguages
from corpusprep.extraction.page_stage import PageOptions, classify_batch
from corpusprep.languages.known_languages import KnownLanguages
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.writing import TableWriter, write_table


@click.command("boilerplate")
@options.new_corpus
@options.batch
@options.models
@options.setting("encoding.text")
@options.settings("pages")
@options.setting("encoding.normalisation")
@options.algorithm
@options.settings("rights")
@options.setting("templates.find")
@options.setting("templates.least_share")
@click.option(
    "--by-language",
    callback=options.mapping,
    metavar="JSON",
    help="With a folder of models: the settings of languages that have their own, by code, as a JSON object.",
)
def command(
    corpus_dir: Path,
    batch: str,
    model: str,
    text: str,
    hidden: str,
    readings: str,
    repeated: str,
    normalisation: str,
    refuse: tuple[str, ...],
    robots_agent: str,
    find: str,
    least_share: float,
    by_language: dict[str, dict[str, Any]] | None,
    **settings: Any,
) -> None:
    """Segment the pages of a batch into blocks and classify them.

    Reads the pages from the archives that the table of `encoding` names. Writes one row per block, of every class, and
    one row per page. With a folder of models, each page is cut and classified as the language that its text is in.
    """
    classifier = registry.algorithm(**settings)
    several = Path(model).is_dir()
    page_options = PageOptions(
        classifier,
        own={code: _own(own) for code, own in (by_language or {}).items()} if several else {},
        references=_of_all(corpus_dir, classifier.side_table.name) if classifier.side_table else (),
        texts_kept=text == "keep",
        composed=normalisation == "nfc",
        refuse=refuse,
        templates=None if find == "none" else corpus_file(corpus_dir, "template_shares"),
        least_share=least_share if find == "remove" else None,
        robots=(_of_all(corpus_dir, "robots"), robots_agent) if robots_agent else None,
        keeps=(hidden == "keep", readings == "keep"),
        keeps_repeated=repeated == "keep",
    )
    page_languages = (
        SeveralLanguages(KnownLanguages.read(Path(model))) if several else OneLanguage(languages.get(model))
    )
    files = BatchFiles.of(corpus_dir, batch)
    with TableWriter(files.boilerplate, schemas.BOILERPLATE) as blocks:
        pages = classify_batch(files.encoding, page_languages, page_options, blocks)
    write_table(pages, schemas.PAGES, files.pages)


def _of_all(corpus_dir: Path, name: str) -> list[Path]:
    """Returns the tables of a name of all batches."""
    names = batch_names(corpus_file(corpus_dir, "plan"))
    return [getattr(BatchFiles.of(corpus_dir, batch), name) for batch in names]


def _own(settings_of_language: dict[str, Any]) -> Algorithm:
    """Returns the algorithm of a language with settings of its own.

    Raises:
        ConfigError: it compares pages, which only the algorithm of all languages may do.
    """
    settings = dict(settings_of_language)
    name = settings.pop("algorithm")
    if registry.side_table(name):
        raise ConfigError(f"{name} compares the pages of a host; it can only be the algorithm of all languages")
    return registry.algorithm(name, **settings)
