"""`corpusprep studies treebanks`: measure tokens and sentences on treebanks."""

from pathlib import Path

import click

from corpusprep.commands import options


@click.command("treebanks")
@click.argument("treebanks", nargs=-1, required=True, metavar="CODE=FILE...")
@options.table_output("The table.")
def command(treebanks: tuple[str, ...], output: Path) -> None:
    """Measure how well tokens and sentences agree with treebanks of Universal Dependencies.

    Each treebank is the code of a built-in language and a file in CoNLL-U: de=de_gsd-ud-test.conllu. Prints F1 of
    tokens, the same without conventions of treebanks (hyphens, runs of marks, numbers with letters, character
    references), and F1 of sentences in running text; the same of other programs, where they are installed: sacremoses,
    spaCy and PyICU (tokens), syntok, pysbd, sentencex and PyICU (sentences).
    """
    from studies.treebanks.agreement import COLUMNS, write

    named = []
    for treebank in treebanks:
        code, equals, path = treebank.partition("=")
        if not (code and equals and path):
            raise click.BadParameter(f"{treebank!r} is not CODE=FILE, such as de=de_gsd-ud-test.conllu")
        named.append((code, Path(path)))
    for row in (COLUMNS, *write(named, output)):
        click.echo("\t".join(row))
