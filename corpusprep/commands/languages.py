"""`corpusprep step languages split|divide|batches|gather|table`: divide a crawl into corpora by language."""

from pathlib import Path
from typing import Any

import click

from corpusprep.archive.batches import bundles, read_batches, remove_others, write_batches, write_bundles
from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.config import schema as config_schema
from corpusprep.errors import ConfigError
from corpusprep.languages import dividing
from corpusprep.languages.identifiers import IDENTIFIERS
from corpusprep.tables.batch_files import corpus_file

_PATH = click.Path(path_type=Path)


@click.group("languages", cls=Group)
def command() -> None:
    """Divide the pages of a crawl into corpora by language.

    Steps: `split` (per batch of the crawl), `divide` (for all batches), then per language `batches`, and `gather` per
    batch of the language. `table` puts the finished corpora of a crawl side by side.
    """


@command.command("split")
@options.crawl
@options.batch
@click.option("--models", required=True, type=_PATH, help="Folder with the models of all languages that are known.")
@click.option(
    "--languages",
    "asked",
    required=True,
    callback=options.mapping,
    metavar="JSON",
    help="The languages that have a corpus, as a JSON object: by code, the settings of the language filter.",
)
@options.setting("corpora.mixed")
def split_command(crawl: Path, batch: str, models: Path, asked: dict[str, dict[str, Any]], mixed: str) -> None:
    """Find the language of each page of a batch, and divide the tables of the batch by language.

    A page goes to the language whose filter keeps its good text, or to no corpus: pages in other known languages, in
    none of them, and without good text.
    """
    from corpusprep.languages import splitting
    from corpusprep.languages.assignment import Assigner, Filter, NamingAssigner
    from corpusprep.languages.identifiers import METHODS
    from corpusprep.languages.known_languages import KnownLanguages
    from corpusprep.languages.naming import Namer

    methods = {settings["method"]: settings.get("code", ".") for settings in asked.values() if "method" in settings}
    if naming := [method for method in sorted(methods) if method not in METHODS]:
        namer = Namer(naming[0], methods[naming[0]])
        filters = {code: Filter.of(settings) for code, settings in asked.items()}
        splitting.split(crawl, batch, NamingAssigner(namer, filters, by_block=mixed == "split"))
        return
    known = KnownLanguages.read(models)
    if missing := sorted(asked.keys() - known.models.keys()):
        raise ConfigError(f"--languages: {models} has no model of {missing[0]}")
    usual = {"method": config_schema.default("language.method")}
    filters = {code: Filter.of({**usual, **settings}) for code, settings in asked.items()}
    splitting.split(crawl, batch, Assigner(known, filters, by_block=mixed == "split"))


@command.command("divide")
@options.crawl
@click.option("--language", "codes", required=True, multiple=True, help="Code of a language. Repeatable.")
@options.setting("batch_bytes")
@click.option("--least-words", type=click.IntRange(0), default=0, help="Fewest words of a language that has a corpus.")
def divide_command(crawl: Path, codes: tuple[str, ...], batch_bytes: int, least_words: int) -> None:
    """Plan the batches of each language: small parts share a batch, large ones do not."""
    dividing.divide(crawl, read_batches(corpus_file(crawl, "plan")), codes, batch_bytes, least_words)


@command.command("batches")
@options.crawl
@options.new_corpus
@click.option("--language", required=True, help="Code of the language.")
def batches_command(crawl: Path, corpus_dir: Path, language: str) -> None:
    """Write the batches of a language to the folder of its corpus."""
    planned = dividing.read_division(crawl)
    if language not in planned:
        raise ConfigError(f"--language {language}: not in {crawl / 'division.tsv'}; it has {', '.join(planned)}")
    batches, _ = planned[language]
    bundled = bundles(batches)
    remove_others([*(batch.name for batch in batches), *bundled], corpus_dir)
    write_bundles(bundled, corpus_file(corpus_dir, "bundles"))
    write_batches(batches, corpus_file(corpus_dir, "plan"))


@command.command("gather")
@options.crawl
@options.new_corpus
@options.batch
@click.option("--language", required=True, help="Code of the language.")
@click.option("--part", "parts", multiple=True, help="A batch of the crawl, in their order. Repeatable.")
def gather_command(crawl: Path, corpus_dir: Path, batch: str, language: str, parts: tuple[str, ...]) -> None:
    """Write the tables of a language's batch: its pages in several batches of the crawl."""
    from corpusprep.languages import splitting

    splitting.gather(crawl, parts, language, corpus_dir, batch)


_LANGUAGE = click.option("--language", required=True, help="Code of the language.")


@command.command("texts")
@options.new_corpus
@options.batch
@_LANGUAGE
@options.setting("language.method", kind=IDENTIFIERS)
@options.setting("language.threshold")
@options.setting("language.margin")
@options.setting("language.learn_pages")
@options.code
@click.option("--from-blocks", is_flag=True, help="Take the good blocks of the pages, which are in a table already.")
def texts_command(
    corpus_dir: Path,
    batch: str,
    language: str,
    method: str,
    threshold: float | None,
    margin: float | None,
    learn_pages: int,
    code: Path,
    from_blocks: bool,
) -> None:
    """Find texts of a batch in a language of which there is no model."""
    from corpusprep import languages
    from corpusprep.extraction.language_texts import find_texts
    from corpusprep.languages.judges import judge_of
    from corpusprep.tables import schemas
    from corpusprep.tables.batch_files import BatchFiles
    from corpusprep.tables.reading import read_table
    from corpusprep.tables.writing import write_table

    files = BatchFiles.of(corpus_dir, batch)
    encoding = read_table(files.encoding, schemas.ENCODING)
    judge = judge_of(languages.blank(language), [], threshold or 0.0, method, code, language, margin)
    table = find_texts(encoding, judge, learn_pages, files.boilerplate if from_blocks else None)
    write_table(table, schemas.LANGUAGE_TEXTS, corpus_dir / "learned" / f"{batch}.parquet")


@command.command("learn")
@options.new_corpus
@_LANGUAGE
@options.setting("language.method", kind=IDENTIFIERS)
@options.setting("language.learn_pages")
def learn_command(corpus_dir: Path, language: str, method: str, learn_pages: int) -> None:
    """Make the model of a language from the texts that were found in all batches.

    With too little text, the model has neither stop words nor trigrams, and says so.
    """
    from corpusprep import languages
    from corpusprep.extraction.language_texts import learn

    names = [batch.name for batch in read_batches(corpus_file(corpus_dir, "plan"))]
    tables = [corpus_dir / "learned" / f"{name}.parquet" for name in names]
    languages.save(learn(tables, language, learn_pages, Path(method).name), corpus_dir / "language.model")


@command.command("table")
@options.crawl
@click.option("--language", "codes", multiple=True, help="Code of a language that has a corpus. Repeatable.")
def table_command(crawl: Path, codes: tuple[str, ...]) -> None:
    """Put the languages of a crawl side by side: two tables, and one self-contained HTML page.

    Writes languages.tsv, ledger.tsv and report.html to the folder of the crawl, from the statistics of the languages.
    """
    from corpusprep.report import crawl_page
    from corpusprep.statistics.crawl_languages import write_tables

    write_tables(crawl, codes)
    crawl_page.write(crawl, crawl.resolve().name, crawl / "report.html")
