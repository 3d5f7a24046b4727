"""`corpusprep studies texrex`: measures block classifiers on the feature vectors of texrex (Schäfer 2016)."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.commands.new_path import NewPath

_DATA = options.folder("--data", "Folder of the evaluation data, with texrex-blocks.tar.xz or texrex-blocks/.")
_LANGUAGE = click.option(
    "--language", type=click.Choice(["en", "fr", "de", "sv"]), required=True, help="Language of the blocks."
)
_OUTPUT = options.table_output("Table to write.")


@click.group("texrex", cls=Group)
def command() -> None:
    """Measure block classifiers on the vectors of texrex (Schäfer 2016). Needs the extra [studies]."""


@command.command("sizes")
@_DATA
@_OUTPUT
def sizes(data: Path, output: Path) -> None:
    """Count the blocks of each language (table 2)."""
    from studies.schaefer_2017 import measuring

    measuring.measure_sizes(data, output)


@command.command("curve")
@_DATA
@_LANGUAGE
@_OUTPUT
def curve(data: Path, language: str, output: Path) -> None:
    """Measure the perceptron at each threshold (tables 3 and 4, figure 1)."""
    from studies.schaefer_2017 import measuring

    measuring.measure_curve(data, language, output)


@command.command("classifier")
@_DATA
@_LANGUAGE
@click.option("--classifier", required=True, help="As in table 5, in lower case: svm-np.")
@_OUTPUT
def classifier(data: Path, language: str, classifier: str, output: Path) -> None:
    """Measure a classifier: F1 and processor seconds per fold (tables 5 and 6)."""
    from studies.schaefer_2017 import measuring

    measuring.measure_classifier(data, language, classifier, output)


@command.command("transfer")
@_DATA
@_OUTPUT
def transfer(data: Path, output: Path) -> None:
    """Judge each language by models of the others (figure 2)."""
    from studies.schaefer_2017 import measuring

    measuring.measure_transfer(data, output)


@command.command("merits")
@_DATA
@_LANGUAGE
@_OUTPUT
def merits(data: Path, language: str, output: Path) -> None:
    """Measure the merit of each feature alone (figure 3)."""
    from studies.schaefer_2017 import measuring

    measuring.measure_merits(data, language, output)


@command.command("gold")
@options.folder("--data", "Folder of the evaluation data, with texrex-blocks and the gold sets.")
@click.option("--set", "name", required=True, metavar="SET", help="Name of the gold set.")
@_OUTPUT
def gold(data: Path, name: str, output: Path) -> None:
    """Judge the blocks of gold pages by a model of the vectors, and the reverse."""
    from studies.schaefer_2017 import training_pages as texrex_pages

    texrex_pages.measure(data, name, output)


@command.command("train")
@click.option(
    "--gold",
    multiple=True,
    required=True,
    metavar="SET|FOLDER",
    help="texrex-blocks (the published vectors, in --data), texrex-blocks:CODE (the vectors of a language: en, fr, de "
    "or sv), the name of a known gold set in --data, or a folder with html/ and gold/. Repeatable.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the known gold sets and of texrex-blocks, each as <name>.tar.xz or unpacked in <name>/.",
)
@click.option(
    "--output",
    type=NewPath(dir_okay=False),
    required=True,
    help="Model file; its name is the name of the model.",
)
def train(gold: tuple[str, ...], data: Path | None, output: Path) -> None:
    """Train a model of the algorithm texrex.

    The model's card has the scores of a cross-validation in ten parts.
    """
    from studies.schaefer_2017 import training

    training.train(gold, data, output, lambda line: click.echo(line, err=True))


@command.command("tables")
@options.folder("--measured", "Folder that the other commands wrote to.")
@options.tables_output
def tables(measured: Path, output: Path) -> None:
    """Write tables 2 to 6, ours beside the published, and one page with tables and figures."""
    from studies.schaefer_2017 import report

    report.write(measured, output)
