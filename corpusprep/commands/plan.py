"""`corpusprep plan`: forecast the time, memory and disk that a config takes."""

import os
from pathlib import Path

import click

from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.planning.plan import plan, read_config


@click.command("plan")
@click.option("--config", required=True, type=click.Path(path_type=Path), help="The config, as for the workflow.")
@click.option("--corpus", "names", multiple=True, help="Only this corpus of the config; repeatable.")
@click.option(
    "--sample", default="1%", metavar="PERCENT", help="Of the archives' bytes, that is read for the forecast."
)
@click.option("--cores", default=os.cpu_count() or 1, type=click.IntRange(min=1), help="At work at once.")
def command(config: Path, names: tuple[str, ...], sample: str, cores: int) -> None:
    """Forecast what the workflow will take for a config: core hours, memory, disk, time.

    Reads a sample of the archives, of 5 MB or more, the same in each run, and runs the stages that see every page on
    it. What comes after them is reckoned from the sample's tokens, at the rates of docs/scale.md, as if there were no
    duplicates.
    """
    settings, made = read_config(config)
    if unknown := [name for name in names if name not in settings]:
        raise ConfigError(f"--corpus {unknown[0]}: not in {config}; it has {', '.join(settings)}")
    share = _share(sample)
    for name in names or settings:
        try:
            lines = plan(settings[name], made, share, cores)
        except CorpusprepError as error:
            raise type(error)(f"corpora.{name}: {error}") from None
        click.echo("\n".join(lines) + "\n")


def _share(text: str) -> float:
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise ConfigError(f"--sample {text}: allowed: over 0 % and up to 100 %, such as 1%")
    return share
