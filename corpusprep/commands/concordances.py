"""`corpusprep concordances`: concordances before and after cleaning, as a page."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.io.files import replacing


@click.command("concordances")
@options.folder("--corpus-dir", "Folder of the corpus, such as results/news.")
@options.table_output("The page: one HTML file.")
@click.option("--word", "words", multiple=True, help="Word or pattern; by default search, or words of boilerplate.")
@click.option("--lines", type=click.IntRange(1, 1000), default=25, help="Lines of each concordance.")
@click.option("--seed", type=int, default=0, help="Seed of the samples.")
def command(corpus_dir: Path, output: Path, words: tuple[str, ...], lines: int, seed: int) -> None:
    """Write concordances before and after cleaning, shuffled and sorted, as one page.

    As figure 1.1 and appendix A of Pomikálek (2011), which show the word search. `snakemake concordances` makes
    the page for every corpus.
    """
    from corpusprep.inspection import concordance_page  # with jinja2

    page = concordance_page.render(corpus_dir, words, lines, seed)
    with replacing(output) as temporary:
        temporary.write_text(page, encoding="utf-8", errors="replace", newline="\n")
