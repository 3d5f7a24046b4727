"""`corpusprep collocations`: what stands near the hits of a query."""

from typing import TYPE_CHECKING

import click

from corpusprep.commands import lists, options

if TYPE_CHECKING:
    from corpusprep.inspection.subcorpora import Part
    from corpusprep.inspection.word_lists import Corpus


def _window(_context: click.Context, _option: click.Parameter, value: str) -> tuple[int, int]:
    left, comma, right = value.partition(",")
    if not (comma and left.strip().isdecimal() and right.strip().isdecimal()):
        raise click.BadParameter(f"{value!r}: give tokens to the left and to the right, such as 5,5")
    return int(left), int(right)


@click.command("collocations")
@options.corpus
@click.argument("query", cls=options.Described, metavar="QUERY", text="What they stand near, as `search` takes it.")
@click.option("--window", default="5,5", callback=_window, metavar="LEFT,RIGHT", help="Tokens on each side of a hit.")
@click.option(
    "--measure",
    type=click.Choice(["logdice", "mi3", "t-score", "log-likelihood"]),
    default="logdice",
    help="How strongly they attract each other.",
)
@click.option(
    "--collocates",
    metavar="QUERY",
    help="Only tokens that this query finds, such as '[tag=\"JJ.*\"]': with --window 3,0 the adjectives before a noun.",
)
@lists.attribute("lc", "Of the collocates")
@lists.listed
def command(
    corpus: "Corpus",
    part: "Part",
    query: str,
    window: tuple[int, int],
    measure: str,
    collocates: str | None,
    attribute: str,
    pattern: str,
    least: int,
    limit: int,
    form: str,
) -> None:
    """List what stands near the hits of a query more often than elsewhere, the strongest first.

    Each pair of a hit and a token in its window counts; a window ends with the block. logDice (Rychlý 2008) does not
    depend on the size of the corpus: words that only occur together have 14. Also MI3 (Daille 1994), t-score (Church
    and others 1991) and log-likelihood (Dunning 1993). --least is the fewest pairs.
    """
    from corpusprep.inspection.collocations import collocations
    from corpusprep.inspection.list_text import of_collocations
    from corpusprep.inspection.query import parse

    rows, hits = collocations(
        corpus,
        parse(query, corpus.columns),
        attribute,
        window=window,
        measure=measure,
        part=part,
        collocates=parse(collocates, corpus.columns) if collocates else None,
        pattern=pattern,
        least=least,
        limit=limit,
    )
    lists.write([rows], of_collocations(measure), form, lambda count: f"{count:,} items; {hits:,} hits")
