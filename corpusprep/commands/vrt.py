"""`corpusprep check vertical`: check verticals."""

import sys
from pathlib import Path

import click

from corpusprep.errors import StageFileError
from corpusprep.text.validation import problems

MOST_SHOWN = 20


@click.command("vertical")
@click.argument("verticals", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
def command(verticals: tuple[Path, ...]) -> None:
    """Check compressed verticals (.vert.zst) against the format of the corpus, as CWB and Manatee read it.

    Prints file, line and fault of what another tool would read in another way, up to 20 per file. The exit code is
    then 1.
    """
    wrong = 0
    for path in verticals:
        faults = 0
        for problem in problems(path):
            if (faults := faults + 1) <= MOST_SHOWN:
                click.echo(problem)
        if faults > MOST_SHOWN:
            click.echo(f"{path}: {faults - MOST_SHOWN:,} more")
        wrong += faults > 0
    if wrong:
        raise StageFileError(f"{wrong} of {len(verticals)} verticals are not valid")
    print("valid" if len(verticals) == 1 else f"{len(verticals)} verticals are valid", file=sys.stderr)
