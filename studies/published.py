"""Published tables that the studies reproduce: Pomikálek 2011, Baisa 2009, PRESEMT D3.1.3, Schäfer 2016.

The CSV files in `published/` have the numbers of the publications. `schaefer.4` holds tables 2 to 4. Tables that the
reports of corpora show, too, are in corpusprep.report.published.
"""

import csv
from importlib import resources

from corpusprep.report import published


def table(number: str) -> list[dict[str, str]]:
    """Returns a published table (`2.8`, `3.9`, `baisa.3.1`): one dictionary per row, cells as text.

    Raises:
        FileNotFoundError: there is no such table.
    """
    path = resources.files("studies").joinpath("published", f"table_{number.replace('.', '_')}.csv")
    if not path.is_file():
        return published.table(number)
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
