"""Says in one line what is wrong with a config, where Snakemake would show a place in its own code or in a rule."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpusprep import config_file
from corpusprep.errors import ConfigError

#: What the project's errors begin with: those of the rules as those of the command line.
PREFIX = "corpusprep: error: "


def one_line(message: str, arguments: Sequence[str] | None = None) -> str | None:
    """Returns the line that a user needs of an error before the first job, or None if it is not about the config.

    Snakemake reads config files before the rules, and says neither their line nor their name: they are read again.

    Args:
        message: Snakemake's.
        arguments: of its command line; those of this process if not given.
    """
    for line in message.splitlines():
        if line.lstrip().startswith(PREFIX):
            return line.strip()
    for path in _config_files(sys.argv[1:] if arguments is None else arguments):
        try:
            config_file.read(path)
        except ConfigError as error:
            return f"{PREFIX}{error}"
    return None


def _config_files(arguments: Sequence[str]) -> list[Path]:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", type=Path, default=[], dest="files")
    return list(parser.parse_known_args(arguments)[0].files)
