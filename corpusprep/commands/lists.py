"""Options of the commands that list items of a corpus, and how they print: `words`, `keywords`, `collocations`."""

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corpusprep.io import memory as limits

if TYPE_CHECKING:
    import polars as pl

    from corpusprep.inspection.list_text import Shown

#: Text, and those of list_text.FORMS, which is imported with polars.
FORMS = ("text", "tsv", "json", "csv")
#: Rows that are printed.
ROWS = 50


def _names(_context: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(map(str.strip, value.split(","))) if value.strip() else ()


#: The command gets a tuple; it is empty if columns_of decides.
columns = click.option(
    "--columns",
    default="",
    show_default=False,
    callback=_names,
    metavar="NAMES",
    help="Names of the vertical's columns, with commas: word,lemma,tag. By default, word and those that the annotator"
    " of the run added.",
)


where = click.option(
    "--where",
    metavar="CONDITION",
    help='Only documents whose attributes pass, such as \'host=".*\\.cz" & date>="2020"\'.',
)


def attribute(default: str, of: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes the option --attribute."""
    return click.option(
        "--attribute",
        default=default,
        metavar="NAME",
        help=f"{of}: word, lc (in lower case), or another column.",
    )


def listed(command: Callable[..., None]) -> Callable[..., None]:
    """Makes the options of all lists; the command gets `corpus` (word_lists.Corpus) and `part` of it."""

    @wraps(command)
    def with_corpus(
        corpus: Path,
        where: str | None,
        subcorpus: str | None,
        name: str | None,
        columns: tuple[str, ...],
        memory: int,
        threads: int | None,
        **rest: Any,
    ) -> None:
        from corpusprep.inspection import subcorpora, word_lists  # with polars, which most commands do without
        from corpusprep.inspection.columns import columns_of

        part = subcorpora.part_of(corpus, where, subcorpus)
        counted = word_lists.Corpus(corpus, columns_of(corpus, columns), memory, threads or word_lists.cores())
        if name:
            counted.documents(part)  # says what is wrong before anything is saved
            subcorpora.save(corpus, name, part)
        command(corpus=counted, part=part, **rest)

    for option in (
        click.option(
            "--threads", type=click.IntRange(1), help="Batches that are read at once; by default, one per core."
        ),
        click.option("--memory", type=limits.size, default="2G", help="Memory for counting and sorting."),
        columns,
        click.option("--format", "form", type=click.Choice(FORMS), default="text", help="Form of the list."),
        click.option("--limit", type=click.IntRange(0), default=ROWS, help="The most rows; 0: all."),
        click.option("--least", type=click.IntRange(1), default=1, help="The smallest frequency."),
        click.option(
            "--pattern",
            default="",
            show_default=False,
            metavar="REGEX",
            help="List what a regular expression matches as a whole.",
        ),
        click.option("--save", "name", metavar="NAME", help="Save the condition of --where under a name."),
        click.option("--in", "subcorpus", metavar="NAME", help="Only documents of a subcorpus that was saved."),
        where,
    ):
        with_corpus = option(with_corpus)
    return with_corpus


def write(
    frames: "Iterable[pl.DataFrame]", columns: "Sequence[Shown]", form: str, summary: Callable[[int], str]
) -> None:
    """Prints a list in its form; of other forms than text, the summary goes to standard error.

    Args:
        frames: the list in pieces, at least one.
        columns: what is printed of it.
        form: one of FORMS.
        summary: makes it of the number of rows.
    """
    from rich.text import Text

    from corpusprep.inspection import list_text
    from corpusprep.io.console import Console

    printed = 0

    def counted(rows: "pl.DataFrame") -> "pl.DataFrame":
        nonlocal printed
        printed += len(rows)
        return rows

    left = iter(frames)
    counting = map(counted, chain([next(left)], left))  # an error comes before the titles
    if form == "text":
        list_text.show(counting, columns, Console(highlight=False))
    else:
        sys.stdout.writelines(list_text.pieces(counting, columns, form))
    sys.stdout.flush()
    Console(highlight=False, stderr=form != "text").print(Text(summary(printed), style="dim"))
