"""The pages whose text is shown nowhere, because the corpus is to forget them."""

import polars as pl

from corpusprep.dedup.forgetting import COLUMNS, ForgetList
from corpusprep.statistics.joined_verdicts import JoinedVerdicts


def forgotten_pages(part: JoinedVerdicts, listed: ForgetList | None) -> pl.DataFrame:
    """Returns the record of each page of a part that the corpus forgets.

    `documents` has found those that were documents of the corpus. Pages that an earlier stage had removed are compared
    with the list here: with their address and the digest of their bytes, as they have neither text nor id.

    Args:
        part: of a batch.
        listed: what the corpus forgets; None: nothing but what `documents` has found.
    """
    forgotten = part.documents.filter(documents="forgotten").select("record")
    earlier = part.documents.filter(pl.col("documents").is_null())
    if listed is None or not earlier.height:
        return forgotten
    known = earlier.select("record", pl.col("url", "page_digest").fill_null(""), digest=pl.lit(""), id=pl.lit(""))
    named = listed.matched(known.select(COLUMNS)).is_not_null()
    return pl.concat([forgotten, known.filter(named).select("record")])
