"""`corpusprep build`: run the workflow."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from corpusprep.errors import CorpusprepError

#: The workflow is in the checkout, as the package is when it is used in place.
SNAKEFILE = Path(__file__).parents[2] / "Snakefile"


@click.command("build")
@click.argument("config", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--cores", metavar="NUMBER|all", help="Number of processes at the same time. [default: all; of a profile, its own]"
)
@click.option("--dry-run", is_flag=True, help="Print the jobs that would run, and end.")
@click.option("--profile", metavar="FOLDER", help="Profile of Snakemake, such as one for a cluster.")
@click.argument("snakemake", nargs=-1, metavar="[-- SNAKEMAKE...]")
def command(config: Path, cores: str | None, dry_run: bool, profile: str | None, snakemake: tuple[str, ...]) -> None:
    """Build the corpora of a config: run the workflow.

    The same command continues a run that was interrupted. The files are written to the folder `results` of the current
    folder, if the config does not name another. What stands behind `--` goes to Snakemake: options, and targets such as
    export. The exit code is Snakemake's.
    """
    if not SNAKEFILE.is_file():
        raise CorpusprepError(f"{SNAKEFILE}: no such file; build runs the workflow of a checkout: install from there")
    if find_spec("snakemake") is None:
        raise ModuleNotFoundError(name="snakemake")
    # --configfile takes all words up to the next option, so it does not stand last.
    words = ["--configfile", str(config), "--snakefile", str(SNAKEFILE), *(["--dry-run"] if dry_run else [])]
    words += ["--workflow-profile", profile] if profile else []
    words += ["--cores", cores or "all"] if cores or not profile else []
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "snakemake", *words, *snakemake])
