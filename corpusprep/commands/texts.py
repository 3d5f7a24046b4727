"""`corpusprep texts`: the documents of a part of a corpus, as text files or as a sheet."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath


@click.command("texts")
@options.corpus
@click.option(
    "--output",
    type=NewPath(),
    required=True,
    metavar="FOLDER|FILE.csv",
    help="A new folder for text files, or the name of a CSV file.",
)
@click.option("--sample", type=click.IntRange(0), default=0, help="The most documents, chosen by chance; 0: all.")
@click.option("--where", metavar="CONDITION", help="Only documents whose attributes pass, as in `words`.")
@click.option("--in", "subcorpus", metavar="NAME", help="Only documents of a subcorpus that was saved.")
def command(corpus: Path, output: Path, sample: int, where: str | None, subcorpus: str | None) -> None:
    """Write the documents of a corpus, or of a part of it, for programs such as AntConc, or for a spreadsheet.

    A folder gets a text file in UTF-8 per document, with a line per block, named by the document's identifier. A CSV
    file has a row per document with its attributes and its text, which is cut at 32,767 characters, as spreadsheets
    do. The same sample is chosen each time.
    """
    from corpusprep.inspection import part_texts, subcorpora
    from corpusprep.inspection.word_lists import Corpus

    write = part_texts.write_sheet if output.suffix == ".csv" else part_texts.write_files
    number = write(Corpus(corpus), subcorpora.part_of(corpus, where, subcorpus), sample, output)
    click.echo(f"{number:,} documents: {output}", err=True)
