"""Measures what signals, filter and personal data cost: CPU seconds per million tokens of whole steps, on a crawl.

    python bench filter-cost [--data FOLDER] [CRAWL]

FOLDER holds the crawl as crawl/<name>.warc.gz ($CORPUSPREP_DATA or ../shared/data). A corpus of it is built, with the
rules of PRESETS, all kinds of personal data, and MASKED replaced. Then each step runs RUNS times in this process, which
gives the time without the start of Python, and as a command. The least time counts. Replacing is the step `corpus` with
it, less the same step without it. Tokens are those of the text that these steps read.
"""

import json
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
import polars as pl
import running
from peers.times import cpu_seconds

from corpusprep.commands import corpus, personal, quality
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import STAYING

RUNS = 3
PRESETS = ("gopher", "c4", "fineweb", "refinedweb")
MASKED = ("email", "phone")


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints the table."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("crawl", nargs="?", default="docs-0", help="name of the crawl, in English")
    options = parser.parse_args(arguments)
    [archive] = running.crawl_archives(options.data, [options.crawl])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rules = {"filter": {"preset": PRESETS}, "personal": {"mask": MASKED}}
        made = {"language": "en", "archives": [str(archive)], **rules}
        # One batch, so that a step has one process.
        config = {"batch_bytes": "100G", "corpora": {"made": made}}
        (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
        running.run_workflow(folder, ["--cores", "1"])
        print("\n".join(measured(folder / "results", options.crawl)))


def measured(results: Path, crawl: str) -> list[str]:
    """Returns the lines of the table."""
    [batch] = running.batches_of(results / "made")
    blocks = read_table(BatchFiles.of(results / "made", batch).blocks, schemas.BLOCKS, ["tokens", "verdict"])
    millions = int(blocks.filter(pl.col("verdict").is_in(STAYING))["tokens"].sum()) / 1e6
    common = ["--batch", batch, str(results / "made")]
    model = ["--model", str(results / "languages" / "en.model")]
    of_rules = [part for preset in PRESETS for part in ("--preset", preset)]
    masks = [part for kind in MASKED for part in ("--mask", kind)]
    plain = _seconds("corpus", corpus.command, common)
    masked = _seconds("corpus", corpus.command, [*masks, *common])
    rows = {
        "signals, rules and samples: `quality`": _seconds("quality", quality.command, [*model, *of_rules, *common]),
        "places of personal data: `personal`": _seconds("personal", personal.command, common),
        "replacing them: in `corpus`": tuple(max(0.0, one - two) for one, two in zip(masked, plain, strict=True)),
    }
    rows["together"] = tuple(sum(column) for column in zip(*rows.values(), strict=True))
    head = [
        "| what, and its step | CPU s | CPU s per million tokens | with the start of Python |",
        "|---|---:|---:|---:|",
    ]
    lines = [
        f"| {what} | {own:.2f} | {own / millions:.3f} | {whole / millions:.3f} |" for what, (own, whole) in rows.items()
    ]
    return [f"{crawl}: {millions:.2f} million tokens", "", *head, *lines]


def _seconds(step: str, command: click.Command, arguments: list[str]) -> tuple[float, float]:
    """Returns the CPU seconds of a step in this process, and as a command of its own."""
    own = [cpu_seconds(partial(command.main, arguments, standalone_mode=False))[0] for _ in range(RUNS + 1)]
    whole = [running.run_corpusprep(["step", step, *arguments]) for _ in range(RUNS)]
    return min(own[1:]), min(usage.ru_utime + usage.ru_stime for usage in whole)
