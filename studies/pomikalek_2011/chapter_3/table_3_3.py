"""Makes table 3.3: n-grams that recur, by their length."""

from collections.abc import Iterator
from itertools import product

from studies import published
from studies.comparison import Number, Table
from studies.pomikalek_2011.chapter_3.lengths import KINDS
from studies.pomikalek_2011.chapter_3.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    published_rows = {row["n"]: row for row in published.table("3.3")}
    prefixes = dict(zip(KINDS, ("all", "nopunct", "nopunct_nostop"), strict=True))
    ours = {(row.tokens, row.n): row for row in results.lengths}
    numbers = [
        Number(
            f"n = {n}",
            f"{kind}: {'cross-domain' if part == 'cross' else 'single-domain'}",
            published_rows[n][f"{prefixes[kind]}_{part}"],
            str(getattr(ours[kind, int(n)], f"{part}_domain")),
        )
        for n, kind, part in product(published_rows, KINDS, ("cross", "single"))
    ]
    about = (
        "Distinct n-grams that occur twice or more, on pages of several hosts (cross-domain) or of one host "
        "(single-domain). From the length where the number of cross-domain n-grams stops falling, n-grams hardly recur "
        "by chance."
    )
    notes = ["Published: 21,776 pages of 2,722 domains from ClueWeb09. Here a domain is the host in the page’s URL."]
    yield Table("3.3", "Lengths of n-grams", about, numbers, notes)


STUDY = Study("Table 3.3", "Lengths of n-grams", "3.6.3", make, ("3.3",), ("a corpus",))
