"""`corpusprep plan`: forecast the time, memory and disk that a config takes."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.forecast.plan import plan, plan_crawl, read_config, shares_processes

if TYPE_CHECKING:
    from corpusprep.config.settings import CorpusSettings


@click.command("plan")
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--only", "names", metavar="NAME", multiple=True, help="Only this corpus of the config. Repeatable.")
@click.option("--sample", default="1%", metavar="PERCENT", help="Share of the archives' bytes that the forecast reads.")
@click.option(
    "--cores", default=os.cpu_count() or 1, type=click.IntRange(min=1), help="Number of processes at the same time."
)
@click.option("--compare", "compared", is_flag=True, help="Show the forecast beside the measured times.")
def command(config: Path, names: tuple[str, ...], sample: str, cores: int, compared: bool) -> None:
    """Forecast the core hours, memory, disk and time that the workflow takes for a config.

    Reads a sample of the archives, at least 5 MB and the same in each run, and runs the steps on batches on it. The
    steps of one process for the whole corpus are estimated from the number of tokens, at the rates of
    docs/measurements/scale.md, for the speed of this machine. Core time is a range.
    """
    settings, made = read_config(config)
    crawls: dict[str, dict[str, CorpusSettings]] = {}
    for name, corpus in settings.items():
        if corpus.crawl:
            crawls.setdefault(name.rpartition("/")[0], {})[corpus.folder] = corpus
    known = {name.rpartition("/")[0] if corpus.crawl else name: corpus for name, corpus in settings.items()} | settings
    if unknown := [name for name in names if name not in known]:
        raise ConfigError(f"--only {unknown[0]}: not in {config}; it has {', '.join(known)}")
    share = _share(sample)
    shared = shares_processes(settings.values())
    for name in dict.fromkeys(names or (name for name in known if name in crawls or not known[name].crawl)):
        try:
            if name in crawls and compared:
                raise ConfigError("--compare: a crawl of several languages; name one of them with --only")
            if name in crawls:
                lines = plan_crawl(crawls[name], made, share, cores)
            else:
                lines = plan(settings[name], made, share, cores, shared=shared, compared=compared)
        except CorpusprepError as error:
            raise type(error)(f"corpora.{name}: {error}") from None
        if name in settings and settings[name].crawl:
            lines.append("A run for this language alone. --only with the crawl's name plans all of its languages.")
        click.echo("\n".join(lines) + "\n")


def _share(text: str) -> float:
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise ConfigError(f"--sample {text}: allowed: over 0 % and up to 100 %, such as 1%")
    return share
