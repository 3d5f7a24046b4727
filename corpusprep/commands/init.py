"""`corpusprep init`: a first config, and a profile."""

import os
import re
import runpy
import shlex
from importlib.util import find_spec
from pathlib import Path

import click
import yaml

from corpusprep.commands.build import CONFIG, PROFILE
from corpusprep.config import starting
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ArchiveError, ConfigError
from corpusprep.io import shipped

#: What stands in a config for archives that are not named.
ARCHIVES = "archives/*.warc.gz"
SAMPLE = "sample/*.warc.gz"


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--language", "codes", metavar="CODE|all", multiple=True, help="Language of the corpus. Repeatable.")
@click.option("--archives", metavar="PATTERN", multiple=True, help="Archives, such as 'crawl/*.warc.gz'. Repeatable.")
@click.option("--name", help="Name of the corpus. [default: that of the folder]")
@click.option("--slurm", is_flag=True, help="Write a profile for SLURM, not for this machine.")
@click.option("--sample", is_flag=True, help="Write a small crawl in English and Czech, and its config.")
def command(
    folder: Path, codes: tuple[str, ...], archives: tuple[str, ...], name: str | None, slurm: bool, sample: bool
) -> None:
    """Write a first config, and a profile of Snakemake, into a folder.

    The config, config.yaml, has comments. Each run in the folder finds the profile,
    profiles/default/config.yaml. Nothing is asked, and nothing is overwritten.
    """
    if sample and (codes or archives):
        raise ConfigError("--sample has its own languages and archives; leave out --language and --archives")
    if sample and find_spec("warcio") is None:
        raise ModuleNotFoundError(name="warcio")
    codes = codes or (("en", "cs") if sample else ("en",))
    name = name or ("sample" if sample else re.sub(r"[^A-Za-z0-9._-]+|^[._-]+", "-", folder.absolute().name).strip("-"))
    chosen = [SAMPLE] if sample else [_seen_from(folder, archive) for archive in archives] or [ARCHIVES]
    config, profile = folder / CONFIG, folder / PROFILE
    text = starting.config_text(name or "corpus", codes, chosen, others=["de"] if sample else [])
    of_profile = starting.profile_text(slurm)
    resolve(yaml.safe_load(text), load_schema(), folder, checked=False)
    if taken := [path for path in (config, profile) if path.exists()]:
        raise ConfigError(f"{taken[0]}: is there already; remove it, or choose another folder")
    if sample:
        pack_sample(folder / SAMPLE.partition("/")[0])
    starting.write(config, text)
    starting.write(profile, of_profile)
    click.echo(f"Written: {config}, {profile}.")
    if not (archives or sample):
        click.echo(f"Put your archives into {folder / 'archives'}, or name them in {config}.")
    if slurm:
        click.echo(f"Set the account and the partition of your site in {profile}.")
    there = f"cd {shlex.quote(str(folder))} && " if folder.absolute() != Path.cwd() else ""
    click.echo(f"Next: {there}corpusprep build")


def _seen_from(folder: Path, archive: str) -> str:
    """Returns a path or pattern, given relative to the current folder, as one relative to the folder of the config."""
    mark = archive[:1] if archive.startswith(("@", "!")) else ""  # of a list, of what is left out
    path = archive.removeprefix(mark)
    if folder.absolute() == Path.cwd() or path.startswith("~") or Path(path).is_absolute():
        return archive
    return mark + os.path.relpath(path, folder)


def pack_sample(folder: Path) -> None:
    """Packs the sample crawl into WARC files in a folder."""
    packer = shipped.root() / "config" / "sample" / "pack.py"
    if not packer.is_file():
        raise ArchiveError(f"{packer}: no such file; install corpusprep again")
    runpy.run_path(str(packer))["main"](["--output", str(folder)], standalone_mode=False)
