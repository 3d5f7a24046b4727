"""`corpusprep words`: the words of a corpus, or its n-grams, with how evenly they are spread."""

from typing import TYPE_CHECKING

import click

from corpusprep.commands import lists, options

if TYPE_CHECKING:
    from corpusprep.inspection.subcorpora import Part
    from corpusprep.inspection.word_lists import Corpus

#: As in word_lists.SORTS, which is imported with polars.
SORTS = ("frequency", "documents", "hosts", "arf", "dp", "item")


@click.command("words")
@options.corpus
@lists.attribute("word", "What is listed")
@click.option("--ngrams", type=click.IntRange(1, 6), default=1, help="Tokens of an item, which are in one block.")
@click.option("--sort", type=click.Choice(SORTS), default="frequency", help="Largest numbers first; items in order.")
@lists.listed
def command(
    corpus: "Corpus",
    part: "Part",
    attribute: str,
    ngrams: int,
    pattern: str,
    least: int,
    sort: str,
    limit: int,
    form: str,
) -> None:
    """List the words of a corpus, or its n-grams, with their frequencies and how evenly they are spread.

    ARF is the average reduced frequency (Savický and Hlaváčová 2002). DP is the deviation of proportions (Gries 2008)
    over 100 parts of the hosts: 0 is spread as the text is. N-grams that occur once are not listed. The whole list is
    kept in the folder word-lists of the corpus.
    """
    from corpusprep.inspection.list_text import WORDS

    words = corpus.words(attribute, ngrams, part)
    frames, listed = words.in_order(pattern, least, sort), 0
    if limit:
        rows, listed = words.first(pattern, least, sort, limit)
        frames = iter([rows])
    documents = words.documents
    lists.write(
        frames,
        WORDS,
        form,
        lambda rows: (
            f"{rows:,} of {listed or rows:,} items; {documents.tokens:,} tokens, {len(documents):,} documents,"
            f" {documents.hosts:,} hosts"
        ),
    )
