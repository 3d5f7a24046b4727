"""Says what is wrong with a config file that Snakemake could not read."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpusprep.config import file as config_file
from corpusprep.errors import ConfigError
from corpusprep.jobs.retries import ERROR


def of_config_files(arguments: Sequence[str] | None = None) -> str | None:
    """Returns one line about the first config file with a mistake, or None.

    Snakemake reads config files before the rules, and says neither their line nor their name: they are read again.

    Args:
        arguments: of Snakemake's command line; those of this process if not given.
    """
    for path in _config_files(sys.argv[1:] if arguments is None else arguments):
        try:
            config_file.read(path)
        except ConfigError as error:
            return f"{ERROR}{error}"
    return None


def _config_files(arguments: Sequence[str]) -> list[Path]:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", type=Path, default=[], dest="files")
    return list(parser.parse_known_args(arguments)[0].files)
