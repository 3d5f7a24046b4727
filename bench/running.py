"""What all tools share: the repository, the folder of the data, and running commands whose errors are shown."""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from corpusprep.archive.batches import batch_names

REPOSITORY = Path(__file__).parents[1]
#: Lines of a failed command's messages that are shown.
SHOWN_LINES = 30
#: Variables of a workflow whose steps share no processes.
ALONE = {"PYTHONSAFEPATH": "1", "CORPUSPREP_WORKERS": ""}


class CommandError(Exception):
    """A command failed, or data is missing."""


def parser(prog: str, description: str | None) -> argparse.ArgumentParser:
    """Returns an empty parser that shows the module's docstring as it stands."""
    return argparse.ArgumentParser(
        prog=prog, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def add_data(options: argparse.ArgumentParser) -> None:
    """Adds `--data`, the folder of the evaluation data; $CORPUSPREP_DATA or ../shared/data by default."""
    data = os.environ.get("CORPUSPREP_DATA") or REPOSITORY.parent / "shared" / "data"
    options.add_argument("--data", type=Path, default=Path(data), help="folder of the evaluation data")


def crawl_archives(data: Path, names: Sequence[str]) -> list[Path]:
    """Returns the archives `<data>/crawl/<name>.warc.gz`.

    Raises:
        CommandError: one is missing.
    """
    archives = [(data / "crawl" / f"{name}.warc.gz").resolve() for name in names]
    if missing := [str(path) for path in archives if not path.is_file()]:
        raise CommandError(f"no such crawl: {', '.join(missing)}; set CORPUSPREP_DATA or give --data")
    return archives


def batches_of(folder: Path) -> list[str]:
    """Returns the names of a corpus's batches.

    Raises:
        CommandError: the folder has no list of batches.
    """
    path = folder / "batches.tsv"
    if not path.is_file():
        raise CommandError(f"{path}: no such file; make a corpus with `bench make-corpus` or build one")
    return batch_names(path)


def run(
    command: Sequence[str | Path], folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> resource.struct_rusage:
    """Runs a command to its end and returns what it used. Its output is shown only if it fails.

    Args:
        command: program and arguments.
        folder: where it runs; None for the current folder.
        environment: all of its variables; None for those of this process.

    Raises:
        CommandError: it failed; the message has the last SHOWN_LINES lines of its output.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            lines = output.read().decode("utf-8", "replace").splitlines()[-SHOWN_LINES:]
            line = " ".join(map(str, command))
            raise CommandError("\n".join([f"{line}\nfailed with exit status {process.returncode}:", *lines]))
    return usage


def run_corpusprep(
    arguments: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> resource.struct_rusage:
    """Runs `corpusprep` with these arguments, as `run` does."""
    return run([sys.executable, "-m", "corpusprep", *arguments], folder, environment)


def run_workflow(folder: Path, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """Runs the workflow in a folder with the config file `my.json` that lies there, and keeps temporary files.

    Each step has a process of its own, as those of a large corpus.

    Raises:
        CommandError: it failed.
    """
    snakemake: list[str | Path] = [sys.executable, "-m", "snakemake", "-s", REPOSITORY / "Snakefile"]
    run(
        [*snakemake, "--notemp", "--configfile", "my.json", *arguments],
        folder,
        {**os.environ, **ALONE, **(environment or {})},
    )
