"""`corpusprep concordance`: search a corpus, or what its cleaning removed."""

import io
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from corpusprep.commands import options
from corpusprep.inspection import concordance, concordance_text
from corpusprep.inspection.query import parse
from corpusprep.inspection.search_texts import CORPUS, CRAWL, STAGES

#: Seconds between two lines of progress.
INTERVAL = 0.2


@click.command("concordance")
@click.argument("pattern")
@options.folder("--corpus", "Folder of the corpus, such as results/news.")
@click.option(
    "--stage",
    type=click.Choice(STAGES),
    default=CORPUS,
    help="What to search: the corpus, the crawl before all cleaning, or what a stage removed.",
)
@click.option("--before", is_flag=True, help="Search the crawl before all cleaning; with --after, both.")
@click.option("--after", is_flag=True, help="Search the corpus.")
@click.option("--sort", type=click.Choice(concordance.SORTS), help="Sort by the left or right context, or the keyword.")
@click.option("--sample", type=click.IntRange(1), help="Draw that many hits at random.")
@click.option("--seed", type=int, default=0, help="Seed of the sample.")
@click.option("--limit", type=click.IntRange(0), default=100, help="The most lines; 0: all.")
@click.option("--columns", default="word", help="Names of the vertical's columns, with commas: word,lemma,tag.")
@click.option("--format", "form", type=click.Choice(["text", "tsv", "json"]), default="text", help="Form of the lines.")
@click.option("--width", type=click.IntRange(60, 400), help="Columns of a line; by default, those of the terminal.")
@click.option(
    "--threads", type=click.IntRange(1), help="Batches that are searched at the same time; by default, one per core."
)
def command(
    pattern: str,
    corpus: Path,
    stage: str,
    before: bool,
    after: bool,
    sort: str | None,
    sample: int | None,
    seed: int,
    limit: int,
    columns: str,
    form: str,
    width: int | None,
    threads: int | None,
) -> None:
    """Search a corpus, or what its cleaning removed, and print each hit in its context.

    A pattern is words (in small letters or capitals), "regular expressions" of a whole token, tests of columns
    [lemma="go" & tag!="N.*"], and [] for any token, [] with {0,3} behind it for up to three. A hit is inside one block.
    """
    names = [name.strip() for name in columns.split(",")]
    query = parse(pattern, names)
    sides = [side for side, wanted in ((CRAWL, before), (CORPUS, after)) if wanted] or [stage]
    console = Console(highlight=False, width=width)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # so that the first lines come at once, also to a pipe
    for side in sides:
        progress = _Progress()
        counts = concordance.Counts()
        found = concordance.search(
            corpus,
            query,
            stage=side,
            sort=sort or "",
            sample=sample or 0,
            limit=limit,
            seed=seed,
            columns=names,
            width=max(100, console.width),
            threads=threads or 0,
            counts=counts,
            progress=progress.show if sys.stderr.isatty() else None,
        )
        found = progress.under(found)
        if form == "tsv":
            concordance_text.tab_separated(found, sys.stdout.write)
        elif form == "json":
            concordance_text.json_lines(found, sys.stdout.write)
        else:
            if len(sides) > 1:
                console.print(Text("before cleaning" if side == CRAWL else "after cleaning", style="bold underline"))
            concordance_text.show(found, console)
        progress.clear()
        said = Console(highlight=False, width=width, stderr=form != "text")
        said.print(Text(concordance_text.summary(counts), style="dim"))
    sys.stdout.flush()


class _Progress:
    """The line of a terminal that says how far the search is."""

    def __init__(self) -> None:
        self._shown = False
        self._last = 0.0

    def show(self, counts: concordance.Counts) -> None:
        """Shows what was counted so far, at most every INTERVAL seconds."""
        if time.monotonic() - self._last < INTERVAL:
            return
        self._last, self._shown = time.monotonic(), True
        done, of = counts.batches
        said = f"{done} of {of} batches, {counts.hits:,} hits in {counts.tokens:,} tokens"
        print(f"\r{said}\x1b[K", end="", file=sys.stderr, flush=True)

    def under(self, lines: Iterable[concordance.Line]) -> Iterator[concordance.Line]:
        """Yields lines to print, with the line of the progress cleared before each."""
        for line in lines:
            self.clear()
            yield line

    def clear(self) -> None:
        """Clears the line, if it was shown."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False
