"""Published tables that reports of corpora show: Pomikálek 2011, 2.11 and 3.6 to 3.9; PRESEMT D3.1.3, table 2.

The CSV files in `published/` have the numbers of the publications. In table 3.9 the order of the columns is corrected,
and two numbers of ClueWeb09: its tokens are from table 3.8, and the share of 10-grams is a share of these tokens. What
was printed stands in the column `ClueWeb09_7pct_printed`. One cell is missing in the thesis (itTenTen's words after
block-level de-duplication). `3.6.1` and `3.6.5` hold numbers from the text of the thesis's sections 3.6, 3.6.1 and
3.6.5: exact duplicates, and domains by their number of pages. `presemt.2` is table 2 of PRESEMT D3.1.3.
"""

import csv
from importlib import resources

#: Web pages in the part of ClueWeb09 of tables 3.7 and 3.8 (3.6.5).
CLUEWEB09_PAGES = 36_559_057

#: Columns of table 3.9 -> names of the corpora.
WEB_CORPORA = {
    "enTenTen": "enTenTen",
    "itTenTen": "itTenTen",
    "deTenTen": "deTenTen",
    "ClueWeb09_7pct": "ClueWeb09 (7 %)",
}

#: The rows of table 3.8, in its order, as rows of corpus_size.tsv.
SIZES = ("crawl", "boilerplate", "language", "documents", "blocks")

#: The phases of table 3.7, in its order, as stages of this pipeline.
PHASES = ("boilerplate", "language", "tokens", "documents", "ngrams", "blocks")


def table(number: str) -> list[dict[str, str]]:
    """Returns a published table (`3.9`, `presemt.2`): one dictionary per row, cells as text."""
    name = f"table_{number.replace('.', '_')}.csv"
    text = resources.files("corpusprep.report").joinpath("published", name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
