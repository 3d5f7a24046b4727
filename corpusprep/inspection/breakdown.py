"""Counts the hits of a query by host, year, or another attribute, with the sizes of what they are in."""

from collections.abc import Callable

import polars as pl

from corpusprep.errors import ConfigError
from corpusprep.inspection import concordance
from corpusprep.inspection.concordance_lines import KEYWORD, YEAR, HitCounts
from corpusprep.inspection.ending import ending
from corpusprep.inspection.parsed_query import Query
from corpusprep.inspection.search_texts import CORPUS
from corpusprep.inspection.subcorpora import WHOLE, Part, attribute, in_part, sizes
from corpusprep.inspection.word_lists import Corpus

#: What hits are usually counted by.
USUAL = ("host", YEAR, KEYWORD)
#: Values of a breakdown; of hits that were removed, and by tokens, only the first three.
BREAKDOWN = pl.Schema(
    {
        "item": pl.String,
        "hits": pl.Int64,
        "share": pl.Float64,  # percent of all hits; without a query, of all tokens
        "documents": pl.Int64,  # with this value, with hits or without
        "tokens": pl.Int64,  # of these documents
        "per_million": pl.Float64,  # hits per million of these tokens
    }
)


def breakdown(
    corpus: Corpus,
    query: Query | None,
    by: str,
    *,
    stage: str = CORPUS,
    part: Part = WHOLE,
    progress: Callable[[HitCounts], None] | None = None,
) -> tuple[pl.DataFrame, HitCounts]:
    """Returns the hits of a query by a value, the most frequent first, years in their order; and what was counted.

    Args:
        corpus: the corpus.
        query: the query; None: the documents and tokens of each value.
        by: `year`, `keyword` (the hit in lower case), a column of the vertical, or an attribute of documents.
        stage: what is searched (concordance.search).
        part: of the corpus.
        progress: is called with what was counted so far.

    Returns:
        A frame with columns of BREAKDOWN, and the counts of all hits.

    Raises:
        ConfigError: no document has the attribute.
    """
    of_tokens = by == KEYWORD or by in corpus.columns
    counts = HitCounts()
    if query is not None:
        searched = concordance.search(
            corpus.folder,
            in_part(query, part),
            stage=stage,
            limit=1,
            columns=corpus.columns,
            threads=corpus.threads,
            counts=counts,
            by=by,
            progress=progress,
            ended=ending(),
        )
        for _ in searched:
            pass
    elif of_tokens:
        raise ConfigError(f"by {by}: give a query, or an attribute of documents")
    rows = pl.DataFrame(
        {"item": list(counts.values), "hits": list(counts.values.values())}, {"item": pl.String, "hits": pl.Int64}
    )
    if not of_tokens and stage == CORPUS:
        corpus.documents(part)
        value = attribute("date").str.slice(0, 4) if by == YEAR else attribute(by)
        held = sizes(corpus.documents_table, part, value)
        if held.height and held["item"].to_list() == [""]:
            raise ConfigError(f"no document of the corpus has the attribute {'date' if by == YEAR else by}")
        rows = held.join(rows, on="item", how="left").with_columns(pl.col("hits").fill_null(0))
        if query is not None and by != YEAR:
            rows = rows.filter(pl.col("hits") > 0)
        per_million = (1e6 * pl.col("hits") / pl.col("tokens")).round(4)
        rows = rows.with_columns(per_million=pl.when(pl.col("tokens") > 0).then(per_million))
    total = pl.col("tokens" if query is None else "hits")
    rows = rows.with_columns(share=(100 * total / total.sum().clip(1)).round(4))
    if query is None:
        rows = rows.drop("hits", "per_million")
    ordered = rows.sort("item") if by == YEAR else rows.sort(total, "item", descending=[True, False])
    return ordered.select(name for name in BREAKDOWN if name in ordered.columns), counts
