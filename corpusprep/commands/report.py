"""`corpusprep report`: one self-contained HTML page about one corpus."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.io.files import replacing
from corpusprep.tables.batch_files import corpus_file


@click.command("report")
@options.corpus_dir
@click.option("--name", help="Name of the corpus. [default: the name of its folder]")
@click.option("--language", required=True, metavar="CODE", help="Code of its language.")
@options.setting("corpus.boilerplate")
def command(corpus_dir: Path, name: str | None, language: str, boilerplate: str) -> None:
    """Write the report: one self-contained HTML page.

    Writes report.html, which opens in any browser without a network: tables beside those of the thesis, figures, and
    ten sampled pages with their kept and removed blocks.
    """
    from corpusprep.report.page import render

    page = render(corpus_dir, name or corpus_dir.resolve().name, language, boilerplate_kept=boilerplate == "keep")
    with replacing(corpus_file(corpus_dir, "report")) as temporary:
        temporary.write_text(page, encoding="utf-8", newline="\n")
