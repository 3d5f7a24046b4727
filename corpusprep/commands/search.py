"""`corpusprep search`: search a corpus, or what its cleaning removed."""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
from rich.text import Text

from corpusprep.commands import lists, options
from corpusprep.commands.new_path import NewPath
from corpusprep.errors import ConfigError
from corpusprep.inspection import concordance, concordance_text
from corpusprep.inspection.columns import columns_of
from corpusprep.inspection.parsed_query import Query
from corpusprep.inspection.query import parse
from corpusprep.inspection.search_texts import CORPUS, CRAWL, STAGES
from corpusprep.inspection.subcorpora import Part, in_part, part_of
from corpusprep.inspection.unknown_names import unknown_names
from corpusprep.io import terminal
from corpusprep.io.console import Console
from corpusprep.io.files import replacing

#: The most lines that are printed; and of a page, per concordance: as many as in the thesis.
LINES, PAGE_LINES = 100, 25
#: What stands above the lines of a stage, if there are several; above others, its name.
TITLES = {CRAWL: "before cleaning", CORPUS: "after cleaning"}
#: Seconds between two lines of progress.
INTERVAL = 0.2


@click.command("search")
@options.corpus
@click.argument("patterns", cls=options.Described, metavar="PATTERN", text="What to search for.", nargs=-1)
@click.option(
    "--stage",
    "stages",
    multiple=True,
    type=click.Choice(STAGES),
    default=(CORPUS,),
    help="What to search: the corpus, the crawl before all cleaning, or what a stage removed. Repeatable.",
)
@click.option("--sort", type=click.Choice(concordance.SORTS), help="Sort by the left or right context, or the keyword.")
@click.option("--sample", type=click.IntRange(1), help="Draw that many hits at random.")
@click.option("--seed", type=int, default=0, help="Seed of the sample.")
@click.option(
    "--limit",
    type=click.IntRange(0),
    help=f"The most lines; 0: all. [default: {LINES}; {PAGE_LINES} per concordance of a page]",
)
@lists.where
@click.option("--in", "subcorpus", metavar="NAME", help="Only documents of a subcorpus that `words --save` has saved.")
@click.option(
    "--by",
    metavar="NAME",
    help="Count the hits in place of lines: by host, year, keyword (the hit itself), another attribute of documents, or"
    " a column.",
)
@lists.columns
@click.option("--format", "form", type=click.Choice(lists.FORMS), default="text", help="Form of the lines.")
@click.option(
    "--width", type=click.IntRange(60, 400), help="Columns of a line; by default, as many as the terminal has."
)
@click.option(
    "--threads", type=click.IntRange(1), help="Batches that are searched at the same time; by default, one per core."
)
@click.option(
    "--page",
    type=NewPath(dir_okay=False),
    help="Write one HTML page with concordances before and after cleaning, shuffled and sorted, of any number of"
    " patterns; without one, of `search` or words of boilerplate. With --limit and --seed.",
)
def command(
    corpus: Path,
    patterns: tuple[str, ...],
    stages: tuple[str, ...],
    sort: str | None,
    sample: int | None,
    seed: int,
    limit: int | None,
    where: str | None,
    subcorpus: str | None,
    by: str | None,
    columns: tuple[str, ...],
    form: str,
    width: int | None,
    threads: int | None,
    page: Path | None,
) -> None:
    """Search a corpus, or what its cleaning removed, and print each hit in its context.

    A pattern is words (in small letters or capitals), "regular expressions" of a whole token, tests of columns
    [lemma="go" & tag!="N.*"], and [] for any token, [] with {0,3} behind it for up to three; groups (a | b)+. Behind it
    may stand within <s/>, within <doc host="…"/> or containing (…). A hit is inside one block.
    """
    if page is not None:
        _write_page(page, corpus, patterns, limit, seed)
        return
    if len(patterns) != 1:
        raise ConfigError(
            f"give one PATTERN, not {len(patterns)}: a phrase stands in quotation marks"
            if patterns
            else "give a PATTERN, or --page"
        )
    names = columns_of(corpus, columns)
    part = part_of(corpus, where, subcorpus)
    query = parse(patterns[0], names)
    if by:
        for stage in stages:
            _break_down(corpus, query, by, stage, part, names, LINES if limit is None else limit, threads, form)
        return
    query = in_part(query, part)
    console = Console(highlight=False, width=width)
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(line_buffering=True)  # so that the first lines come at once, also to a pipe
    for stage in stages:
        progress = _Progress()
        counts = concordance.HitCounts()
        lines = concordance.search(
            corpus,
            query,
            stage=stage,
            sort=sort or "",
            sample=sample or 0,
            limit=LINES if limit is None else limit,
            seed=seed,
            columns=names,
            width=max(100, console.width),
            threads=threads or 0,
            counts=counts,
            progress=progress.show if sys.stderr.isatty() else None,
        )
        lines = progress.under(lines)
        if form != "text":
            concordance_text.FORMS[form](lines, sys.stdout.write)
        else:
            if len(stages) > 1:
                console.print(Text(TITLES.get(stage, f"removed: {stage}"), style="bold underline"))
            concordance_text.show(lines, console)
        progress.clear()
        said = Console(highlight=False, width=width, stderr=form != "text")
        said.print(Text(concordance_text.summary(counts), style="dim"))
        if not counts.hits and stage == CORPUS and (missing := unknown_names(corpus, query)):
            said.print(Text(missing, style="dim"))
    sys.stdout.flush()


def _break_down(
    corpus: Path,
    query: Query,
    by: str,
    stage: str,
    part: Part,
    columns: Sequence[str],
    limit: int,
    threads: int | None,
    form: str,
) -> None:
    """Prints how many hits there are by a value."""
    from corpusprep.inspection.breakdown import breakdown
    from corpusprep.inspection.list_text import of_breakdown
    from corpusprep.inspection.word_lists import Corpus, cores

    counted = Corpus(corpus, tuple(columns), threads=threads or cores())
    progress = _Progress()
    show = progress.show if sys.stderr.isatty() else None
    rows, counts = breakdown(counted, query, by, stage=stage, part=part, progress=show)
    progress.clear()
    listed = rows.height
    rows = rows.head(limit) if limit else rows
    summary = concordance_text.summary(counts, hosts=0).partition("\n")[0]
    lists.write([rows], of_breakdown(rows.columns), form, lambda count: f"{count:,} of {listed:,} values; {summary}")


def _write_page(page: Path, corpus: Path, patterns: tuple[str, ...], limit: int | None, seed: int) -> None:
    """Writes concordances as one page, as figure 1.1 and appendix A of Pomikálek (2011), which show the word search."""
    from corpusprep.inspection import concordance_page  # with jinja2

    text = concordance_page.render(corpus, patterns, limit or PAGE_LINES, seed)
    with replacing(page) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="replace", newline="\n")


class _Progress:
    """The line of a terminal that says how far the search is."""

    def __init__(self) -> None:
        self._shown = False
        self._last = 0.0

    def show(self, counts: concordance.HitCounts) -> None:
        """Shows what was counted so far, at most every INTERVAL seconds."""
        if time.monotonic() - self._last < INTERVAL:
            return
        self._last, self._shown = time.monotonic(), True
        done, of = counts.batches
        text = f"{done} of {of} batches, {counts.hits:,} hits in {counts.tokens:,} tokens"
        terminal.control(f"\r{text}\x1b[K")

    def under(self, lines: Iterable[concordance.ConcordanceLine]) -> Iterator[concordance.ConcordanceLine]:
        """Yields lines to print, with the line of the progress cleared before each."""
        for line in lines:
            self.clear()
            yield line

    def clear(self) -> None:
        """Clears the line, if it was shown."""
        if self._shown:
            terminal.control("\r\x1b[K")
            self._shown = False
