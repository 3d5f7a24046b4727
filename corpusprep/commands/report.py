"""`corpusprep step report`: one self-contained HTML page about one corpus."""

from pathlib import Path

import click

from corpusprep.commands import options


@click.command("report")
@options.new_corpus
@click.option("--name", help="Name of the corpus. [default: the name of its folder]")
@click.option("--language", required=True, metavar="CODE", help="Code of its language.")
@options.setting("corpus.boilerplate")
def command(corpus_dir: Path, name: str | None, language: str, boilerplate: str) -> None:
    """Write the report: one self-contained HTML page.

    Writes report.html, which opens in any browser without a network: what was lost where, typical words, hosts, years,
    twelve sampled pages and what to change. All tables are folded below, beside the thesis's tables.
    """
    from corpusprep.report.page import write
    from corpusprep.tables.crawl_files import corpus_name

    write(corpus_dir, name or corpus_name(corpus_dir), language, boilerplate_kept=boilerplate == "keep")
