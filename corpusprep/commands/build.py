"""`corpusprep build`: run the workflow."""

import contextlib
import getpass
import os
import shlex
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import yaml

from corpusprep import startup
from corpusprep.errors import CorpusprepError
from corpusprep.io import shipped

#: What is built if no config is named; what `init` writes.
CONFIG = Path("config.yaml")
#: A profile that Snakemake finds by itself; what `init` writes.
PROFILE = Path("profiles", "default", "config.yaml")
#: Executors of Snakemake that need no plugin.
BUILT_IN = ("local", "dryrun", "touch")
#: The command as it was typed, for the line that says how to continue a run.
TYPED = "CORPUSPREP_COMMAND"


class Build(click.Command):
    """A command whose words behind `--` are for Snakemake, also where no config stands before."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads the words before `--`; the others are added to `snakemake`."""
        end = args.index("--") if "--" in args else len(args)
        behind = args[end + 1 :]
        rest = super().parse_args(ctx, args[:end])
        ctx.params["snakemake"] = (*ctx.params.get("snakemake", ()), *behind)
        return rest


@click.command("build", cls=Build)
@click.argument("config", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False)
@click.option(
    "--cores", metavar="NUMBER|all", help="Number of processes at the same time. [default: all; of a profile, its own]"
)
@click.option("--dry-run", is_flag=True, help="Print the jobs that would run, and end.")
@click.option("--profile", metavar="FOLDER|slurm", help="Profile of Snakemake, such as one for a cluster.")
@click.argument("snakemake", nargs=-1, metavar="[-- SNAKEMAKE...]")
def command(
    config: Path | None, cores: str | None, dry_run: bool, profile: str | None, snakemake: tuple[str, ...]
) -> None:
    """Build the corpora of a config: run the workflow. Without a name, the config is config.yaml.

    The same command continues a run that was interrupted. The files are written to the folder `results` of the current
    folder, if the config does not name another. What stands behind `--` goes to Snakemake: options, and targets such as
    export. The exit code is Snakemake's.
    """
    if config is None and CONFIG.is_file():
        config = CONFIG
    # Targets of the studies need no config: the workflow has that of the sample.
    if config is None and all(word.startswith("-") for word in snakemake):
        raise CorpusprepError(
            f"{Path.cwd()} has no {CONFIG}; name a config, or write one:"
            " corpusprep init --language CODE --archives 'FOLDER/*.warc.gz'"
        )
    if profile and not Path(profile).exists():
        profile = str(shipped.profile(profile) or profile)
    settings = _profile(Path(profile, "config.yaml") if profile else PROFILE)
    _check_packages(str(settings.get("executor") or ""))
    # --configfile takes all words up to the next option, so it does not stand last.
    words = ["--configfile", str(config)] if config else []
    words += ["--snakefile", str(shipped.snakefile()), *(["--dry-run"] if dry_run else [])]
    words += ["--workflow-profile", profile] if profile else []
    words += ["--cores", cores or "all"] if cores or not (profile or settings.keys() & {"cores", "jobs"}) else []
    os.environ[TYPED] = shlex.join(["corpusprep", *sys.argv[1:]])
    _name_user()
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "snakemake", *words, *snakemake])


def _name_user() -> None:
    """Gives a user without a name their number: Snakemake asks for a name. In containers, users may have none."""
    try:
        getpass.getuser()
    except (KeyError, OSError):  # before Python 3.13, and since
        os.environ["USER"] = str(os.getuid())


def _profile(path: Path) -> Mapping[str, Any]:
    """Returns what a profile sets; nothing if it is not there, or cannot be read, which Snakemake then says."""
    with contextlib.suppress(OSError, ValueError, yaml.YAMLError):
        settings = yaml.safe_load(path.read_text(encoding="utf-8"))
        return settings if isinstance(settings, Mapping) else {}
    return {}


def _check_packages(executor: str) -> None:
    """Checks what Snakemake needs to start; if it cannot, what the workflow would miss next is named, too."""
    lines = startup.lacking("workflow")
    plugin = f"snakemake_executor_plugin_{executor.replace('-', '_')}"
    if executor and executor not in BUILT_IN and find_spec(plugin) is None:
        lines.append(startup.without_executor(executor))
    if lines:
        raise CorpusprepError("\n".join(startup.in_one_command([*lines, *startup.lacking("report")])))
