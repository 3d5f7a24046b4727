"""Measures of blocks from the table of blocks: jusText with other thresholds needs no page again."""

import numpy as np
import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.pages.algorithms.justext import Measures


def measures(rows: pl.DataFrame) -> Measures:
    """Returns the measures of blocks, from rows with JusText.stored_columns.

    The rules of 2.7.1 come before all thresholds, so the stored verdicts say where they held.

    Raises:
        StageFileError: the rows were not classified by jusText.
    """
    if (rows["verdict"] == "boilerplate").any():
        raise StageFileError("the corpus was not made by jusText: its stored scores do not decide its blocks")
    records = rows["record"].to_numpy().astype(np.int64)
    starts = np.flatnonzero(np.diff(records, prepend=-1))
    return Measures(
        pages=np.append(starts, len(records)).astype(np.int64),
        words=rows["words"].to_numpy(),
        link_density=rows["link_density"].to_numpy(),
        stopword_density=rows["stopword_density"].to_numpy(),
        copyright=(rows["verdict"] == "copyright").to_numpy(),
        in_select=(rows["verdict"] == "select").to_numpy(),
    )
