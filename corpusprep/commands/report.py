"""`corpusprep report`: one self-contained HTML page about one corpus."""

from pathlib import Path

import click

from corpusprep.io.files import replacing


@click.command("report")
@click.option(
    "--corpus-dir",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder of the corpus's stage files, with the tables of `corpusprep statistics` in statistics/.",
)
@click.option("--name", required=True, help="Name of the corpus.")
@click.option("--language", required=True, metavar="CODE", help="Code of its language.")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), required=True, help="HTML file to write.")
def command(corpus_dir: Path, name: str, language: str, output: Path) -> None:
    """Write the report: one self-contained HTML page.

    It opens in any browser, without a network: tables beside the thesis's, figures, and ten sampled pages
    with their kept and removed blocks.
    """
    from corpusprep.report.page import render

    page = render(corpus_dir, name, language)
    with replacing(output) as temporary:
        temporary.write_text(page, encoding="utf-8", newline="\n")
