"""`corpusprep audit`: people judge a blind sample; precision and recall of each stage follow."""

from pathlib import Path

import click

from corpusprep.commands import options
from corpusprep.commands.group import Group
from corpusprep.commands.new_path import NewPath
from corpusprep.errors import ConfigError


@click.group("audit", cls=Group)
def command() -> None:
    """Let people judge a blind sample of a corpus."""


@command.command("sample")
@options.corpus
@click.option("--blocks", type=click.IntRange(min=0), default=200, help="Number of blocks to draw.")
@click.option("--documents", type=click.IntRange(min=0), default=60, help="Number of documents to draw.")
@click.option("--seed", type=click.IntRange(min=0), default=1, help="Another seed draws other units.")
@click.option(
    "--output",
    type=NewPath(dir_okay=False),
    help="Sheet to write; its key goes beside it. [default: audit/sheet.tsv in the folder of the corpus]",
)
def sample(corpus: Path, blocks: int, documents: int, seed: int, output: Path | None) -> None:
    """Draw blocks and documents, and write a sheet for annotators.

    The sheet hides what became of each unit. In its column judgement, annotators write good (text that belongs in the
    corpus) or bad. The key beside the sheet has what it hides: do not give it to annotators.
    """
    from corpusprep.inspection.audit import sampling, sheets
    from corpusprep.report.audit import FOLDER

    if not blocks + documents:
        raise ConfigError("--blocks 0 --documents 0: nothing to draw")
    sheet = output or corpus / FOLDER / "sheet.tsv"
    if sheet.name.endswith(sheets.KEY_SUFFIX):
        raise ConfigError(f"{sheet}: the name of a key; choose another name for the sheet")
    if sheet.exists():
        raise ConfigError(f"{sheet}: exists already, and may have judgements; choose another name with --output")
    units, strata = sampling.draw(corpus, blocks, documents, seed)
    sheet.parent.mkdir(exist_ok=True)
    sheets.write(sheet, units, strata)
    click.echo(f"{sheet}: {len(units):,} units of {len(strata):,} strata")
    click.echo(f"{sheets.key_path(sheet)}: the key; annotators must not see it")


@command.command("score")
@click.argument("filled", metavar="SHEET...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--key",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Key of the sheets. [default: the one beside the first sheet]",
)
@click.option(
    "--output",
    type=NewPath(file_okay=False),
    help="Folder for scores.tsv and agreement.tsv. [default: the folder of the key]",
)
def score(filled: tuple[Path, ...], key: Path | None, output: Path | None) -> None:
    """Print precision and recall of each stage, from filled sheets.

    Give one sheet per annotator. Of several, the agreement is printed, too. If the key is in the folder audit of a
    corpus, the report of the corpus is written again and shows the numbers.
    """
    from corpusprep.inspection.audit import scoring, shown
    from corpusprep.io.console import Console
    from corpusprep.report.audit import SCORES
    from corpusprep.tables.batch_files import corpus_file

    audit, found = scoring.score(filled, key)
    folder = output or found.parent
    reported = scoring.publish(audit, folder.resolve())
    console = Console()
    console.print(shown.score_table(audit))
    for line in shown.notes(audit):
        console.print(f"  {line}", markup=False, highlight=False)
    written = [folder / SCORES, *([corpus_file(folder.parent, "report")] if reported else [])]
    for path in written:
        console.print(f"  {path}", soft_wrap=True, markup=False, highlight=False)
