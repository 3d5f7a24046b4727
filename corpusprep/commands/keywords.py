"""`corpusprep keywords`: what is typical of a corpus, or of a part of it."""

from typing import TYPE_CHECKING

import click

from corpusprep.commands import lists, options

if TYPE_CHECKING:
    from corpusprep.inspection.subcorpora import Part
    from corpusprep.inspection.word_lists import Corpus

#: As in keywords.WORDFREQ, which is imported with polars: the reference that is no folder.
WORDFREQ = "wordfreq"


@click.command("keywords")
@options.corpus
@click.option(
    "--reference",
    metavar="CORPUS|wordfreq",
    help="Folder of another corpus, or the list of wordfreq for the language. By default the rest of the corpus, with"
    " --where or --in, else wordfreq.",
)
@click.option("--language", help="Code of the language for wordfreq. By default, the one that most documents have.")
@click.option(
    "--measure",
    type=click.Choice(["log-ratio", "simple-maths", "log-likelihood"]),
    default="log-ratio",
    help="How keywords are measured.",
)
@lists.attribute("lc", "What is compared")
@click.option("--ngrams", type=click.IntRange(1, 6), default=1, help="Tokens of an item, which are in one block.")
@lists.listed
def command(
    corpus: "Corpus",
    part: "Part",
    reference: str | None,
    language: str | None,
    measure: str,
    attribute: str,
    ngrams: int,
    pattern: str,
    least: int,
    limit: int,
    form: str,
) -> None:
    """List the words that are typical of a corpus, or of a part of it, against a reference.

    The log ratio (Hardie 2014) of 1 is twice as frequent, of 2 four times. Simple maths (Kilgarriff 2009) is the
    quotient of the frequencies per million, each with 1 added. Log-likelihood (Dunning 1993) says how sure a difference
    is. Intervals of 95 % take hosts as what was drawn: words of one page or host occur together. The list is sorted by
    their lower ends; words that only one host has come last.
    """
    from corpusprep.inspection import keywords
    from corpusprep.inspection.list_text import of_keywords

    other = reference
    if reference and reference != WORDFREQ:
        other = options.CorpusFolder().convert(reference, None, None)
    listed, against = keywords.reference(corpus, part, other, attribute, ngrams, language)
    focus = corpus.words(attribute, ngrams, part)
    rows = keywords.keywords(focus, listed, measure=measure, pattern=pattern, least=least, limit=limit)
    about = f"{focus.documents.tokens:,} tokens against {against}"
    lists.write(rows, of_keywords(measure), form, lambda count: f"{count:,} items; {about}")
