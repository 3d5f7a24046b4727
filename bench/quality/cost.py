"""Measures what signals, filter and personal data cost: CPU seconds per million tokens of whole steps, on a crawl.

    python bench filter-cost [--data FOLDER] [--output PAGE] [CRAWL ...]

FOLDER holds each crawl as crawl/<name>.warc.gz ($CORPUSPREP_DATA or ../shared/data). A corpus of it is built, with the
rules of PRESETS, all kinds of personal data, and MASKED replaced. Then each step runs RUNS times in this process, which
gives the time without the start of Python, and as a command. The least time counts. C4's rules read the text of blocks:
theirs is the step `quality` with all presets, less that without `c4`. Replacing is `corpus` with it, less that without
it. Tokens are those of the text that these steps read. Writes the page to --output, or prints it.
"""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click
import polars as pl
import running
from peers import table
from peers.times import cpu_seconds

from corpusprep.commands import corpus, personal, quality
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import read_table
from corpusprep.tables.verdicts import STAYING

RUNS = 3
PRESETS = ("gopher", "fineweb", "refinedweb", "c4")
MASKED = ("email", "phone")

_ABOUT = f"""CPU time of the steps that measure documents, apply the presets {", ".join(PRESETS)}, look for personal
data of all kinds, and replace {" and ".join(MASKED)}, on a corpus of one batch. It is the least of {RUNS} runs.
`python bench filter-cost` writes this page."""
_REMARKS = """A step begins with loading Python and its libraries, once per batch, however long the batch is. The rules
of C4 on blocks are the only ones that read text after signals are stored. Replacing costs less than its measurement
varies where few places are found."""


def main(prog: str, arguments: Sequence[str]) -> None:
    """Measures, and writes or prints the page."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--output", type=Path, help="the page to write: docs/measurements/filter-cost.md")
    parser.add_argument("crawl", nargs="*", default=["docs-0", "en-cleaneval"], help="names of crawls, in English")
    options = parser.parse_args(arguments)
    about = table.fill(table.about_machine([], os.getloadavg()[0]))
    lines = ["# What filters and personal data cost", "", table.fill(_ABOUT), ""]
    lines += [f"    python bench filter-cost {' '.join(options.crawl)}", "", about, ""]
    for crawl, archive in zip(options.crawl, running.crawl_archives(options.data, options.crawl), strict=True):
        with tempfile.TemporaryDirectory() as name:
            lines += [*measured(crawl, archive, Path(name)), ""]
    lines.append(table.fill(_REMARKS))
    if options.output is None:
        print("\n".join(lines))
    else:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measured(crawl: str, archive: Path, folder: Path) -> Iterator[str]:
    """Builds a corpus of a crawl in an empty folder; yields the lines of its table."""
    filtering = {"filter": {"preset": PRESETS}, "personal": {"mask": MASKED}}
    made = {"language": "en", "archives": [str(archive)], **filtering}
    # One batch, so that a step has one process.
    config = {"batch_bytes": "100G", "corpora": {"made": made}}
    (folder / "my.json").write_text(json.dumps(config), encoding="utf-8")
    running.run_workflow(folder, ["--cores", "1"])
    results = folder / "results"
    [batch] = running.batches_of(results / "made")
    blocks = read_table(BatchFiles.of(results / "made", batch).blocks, schemas.BLOCKS, ["tokens", "verdict"])
    millions = int(blocks.filter(pl.col("verdict").is_in(STAYING))["tokens"].sum()) / 1e6
    common = ["--batch", batch, str(results / "made")]
    model = ["--model", str(results / "languages" / "en.model")]
    rules = [part for preset in PRESETS for part in ("--preset", preset)]
    masks = [part for kind in MASKED for part in ("--mask", kind)]
    of_documents = _seconds("quality", quality.command, [*model, *rules[:-2], *common])
    of_blocks = _seconds("quality", quality.command, [*model, *rules, *common])
    plain = _seconds("corpus", corpus.command, common)
    masked = _seconds("corpus", corpus.command, [*masks, *common])
    rows = {
        "signals, rules on documents, samples: `quality`": of_documents,
        "rules of C4, on blocks: in `quality`": _less(of_blocks, of_documents),
        "places of personal data: `personal`": _seconds("personal", personal.command, common),
        "replacing them: in `corpus`": _less(masked, plain),
    }
    rows["together"] = tuple(sum(column) for column in zip(*rows.values(), strict=True))
    yield f"Crawl `{crawl}`, {millions:.2f} million tokens:"
    yield from ["", "| what | CPU s | CPU s per million tokens | with the start of Python |", "|---|---:|---:|---:|"]
    for what, (own, whole) in rows.items():
        yield f"| {what} | {own:.2f} | {own / millions:.3f} | {whole / millions:.3f} |"


def _less(longer: tuple[float, float], shorter: tuple[float, float]) -> tuple[float, float]:
    return max(0.0, longer[0] - shorter[0]), max(0.0, longer[1] - shorter[1])


def _seconds(step: str, command: click.Command, arguments: list[str]) -> tuple[float, float]:
    """Returns the CPU seconds of a step in this process, and as a command of its own."""
    own = [cpu_seconds(partial(command.main, arguments, standalone_mode=False))[0] for _ in range(RUNS + 1)]
    whole = [running.run_corpusprep(["step", step, *arguments]) for _ in range(RUNS)]
    return min(own[1:]), min(usage.ru_utime + usage.ru_stime for usage in whole)
