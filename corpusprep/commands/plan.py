"""`corpusprep plan`: forecast the time, memory and disk that a config takes."""

import os
from pathlib import Path

import click

from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.planning.plan import plan, read_config


@click.command("plan")
@click.option("--config", required=True, type=click.Path(path_type=Path), help="The config, as for the workflow.")
@click.option("--corpus", "names", multiple=True, help="Only this corpus of the config; repeatable.")
@click.option("--sample", default="1%", metavar="PERCENT", help="Share of the archives' bytes that the forecast reads.")
@click.option(
    "--cores", default=os.cpu_count() or 1, type=click.IntRange(min=1), help="Number of processes at the same time."
)
def command(config: Path, names: tuple[str, ...], sample: str, cores: int) -> None:
    """Forecast the core hours, memory, disk and time that the workflow takes for a config.

    Reads a sample of the archives, at least 5 MB and the same in each run, and runs the steps before de-duplication on
    it. The later steps are estimated from the number of tokens, at the rates of docs/measurements/scale.md, as if there
    were no duplicates.
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
