"""`corpusprep studies languages`: measure the language kit on evaluation data."""

from pathlib import Path

import click

from corpusprep.commands.new_path import NewPath

_TABLES = (
    "stop_lists",
    "learned",
    "identification",
    "scores",
    "page_languages",
    "confusions",
    "encodings",
    "charsets",
    "damaged_pages",
)


@click.command("languages")
@click.argument("name", type=click.Choice(_TABLES))
@click.option(
    "--data", required=True, type=click.Path(path_type=Path), help="Folder of the evaluation data (archives, .tar.xz)."
)
@click.option(
    "--pages",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder of HTML pages; the pages made for a table have their markup.",
)
@click.option("--output", required=True, type=NewPath(), help="Where the table goes (TSV).")
def command(name: str, data: Path, pages: Path, output: Path) -> None:
    """Measure the language kit on evaluation data: one of its tables.

    stop_lists: F1 of boilerplate removal by the stop list's coverage, scripts without spaces among them; learned: the
    same with models that were learned from a crawl; identification: languages of short and long texts, and the corpus
    filter; scores: each built-in language on text that it was not made from; page_languages: languages of page texts;
    confusions: which language was taken for which, and what becomes of other languages, code and names; encodings:
    PRESEMT's table 1 on made pages; charsets: labelled files; damaged_pages: encodings of damaged pages. Other tools
    (the extras `bench` and `languages`) that are not installed have a row that says so.
    """
    from corpusprep.io import tsv
    from studies.language_tables import TABLES

    columns, rows = TABLES[name]
    tsv.write(output, columns, rows(data, pages))
