"""`corpusprep train`: trains the models of learned cleaners on gold pages, and a classifier on documents."""

from pathlib import Path

import click

from corpusprep.commands.group import Group
from corpusprep.commands.new_path import NewPath

_GOLD = click.option(
    "--gold",
    multiple=True,
    required=True,
    metavar="SET|FOLDER",
    help="Name of a known gold set in --data, or a folder with html/, and gold/ (one .txt or .json file per page) or "
    "sheets with labels (*.tsv). Repeatable.",
)
_DATA = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the known gold sets, each as <name>.tar.xz or unpacked in <name>/.",
)
_OUTPUT = click.option(
    "--output",
    type=NewPath(dir_okay=False),
    required=True,
    help="Model file; its name is the name of the model. <name>.pages.tsv beside it has the scores of each page.",
)


@click.group("train", cls=Group)
def command() -> None:
    """Train a model of a learned cleaner, or a classifier of documents."""


@command.command("sheet")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--output", type=NewPath(dir_okay=False), required=True, help="Sheet to write; in FOLDER, --gold FOLDER reads it."
)
@click.option("--pages", type=click.IntRange(min=1), help="Number of pages to draw by chance; without it: all.")
def sheet(folder: Path, output: Path, pages: int | None) -> None:
    """Write a sheet of the blocks of the pages in FOLDER/html, for people to label.

    One row per block, tab-separated. In the column label write good (main content) or bad; blocks without a label are
    not learned from.
    """
    from corpusprep.gold import sheets

    count = sheets.write(folder, output, pages)
    click.echo(f"{output}: {count:,} pages", err=True)


@command.command("content")
@_GOLD
@_DATA
@_OUTPUT
@click.option("--seed", type=int, default=1, help="Another number gives a model of nearly the same quality.")
@click.option(
    "--members/--no-members",
    default=True,
    help="Also learn from a fifth of the pages with their text as lists of terms: better on documentation, a little"
    " worse on short news.",
)
def content(gold: tuple[str, ...], data: Path | None, output: Path, seed: int, members: bool) -> None:
    """Train a model of the algorithm content.

    Each page is scored by models that have not seen its host, and by models that have not seen its set. The model's
    thresholds are those with the best scores.
    """
    from corpusprep.cleaners.content.training import boosting
    from corpusprep.cleaners.content.training import train as training
    from corpusprep.cleaners.content.training.fitting import TrainingPlan

    plan = TrainingPlan(members=members, trees=boosting.Settings(seed=seed))
    training.train(gold, data, output, plan, lambda line: click.echo(line, err=True))


@command.command("victor")
@_GOLD
@_DATA
@_OUTPUT
@click.option(
    "--two-classes", is_flag=True, help="Merge the kinds of main content that cleaneval-victor has labels of."
)
@click.option(
    "--plain-pages", is_flag=True, help="Learn from pages made of gold text alone, too: texts without a menu."
)
def victor(gold: tuple[str, ...], data: Path | None, output: Path, two_classes: bool, plain_pages: bool) -> None:
    """Train a model of the algorithm victor. Needs the extra [train].

    Each page is scored by a model that has not seen its host.
    """
    from corpusprep.cleaners.victor import training

    plan = training.VictorPlan(kinds=not two_classes, plain=plain_pages)
    training.train(gold, data, output, plan, lambda line: click.echo(line, err=True))


@command.command("ncleaner")
@_GOLD
@_DATA
@_OUTPUT
@click.option(
    "--language",
    default="",
    help="Code of the language whose pages are taken, and of your pages that state none; without it, all pages.",
)
@click.option(
    "--classes", is_flag=True, help="Count classes of letters, not the letters themselves: for all languages."
)
def ncleaner(gold: tuple[str, ...], data: Path | None, output: Path, language: str, classes: bool) -> None:
    """Train a model of the algorithm ncleaner.

    Each page is scored by models that have not seen its host, and by models that have not seen its set. The model's
    thresholds are those with the best scores.
    """
    from corpusprep.cleaners.ncleaner import training

    plan = training.NcleanerPlan(lexical=not classes, language=language)
    training.train(gold, data, output, plan, lambda line: click.echo(line, err=True))


@command.command("quality")
@click.option(
    "--good",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    metavar="FOLDER",
    help="Folder, or file, of good documents: JSON lines, Parquet, verticals, or texts (.txt).",
)
@click.option(
    "--bad",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    metavar="FOLDER",
    help="Folder, or file, of bad documents.",
)
@click.option(
    "--output",
    type=NewPath(dir_okay=False),
    required=True,
    help="Model file. Beside it, <name>.card.md says what it is worth, and <name>.documents.tsv has the score of each"
    " document.",
)
def quality(good: Path, bad: Path, output: Path) -> None:
    """Train a classifier of documents, for the setting filter: {model: FILE}.

    Each document is scored by a model that has not seen its host. The host is that of its address (of a text, in a
    first line `URL: ...`), or else the name of its file before the first `_`.
    """
    from corpusprep.quality.training import train

    model = train(good, bad, output, lambda line: click.echo(line, err=True))
    click.echo(f"{output}: good above bad in {100 * model.card['area']:.1f} % of pairs, on hosts not seen", err=True)
