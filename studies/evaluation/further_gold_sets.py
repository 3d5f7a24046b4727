"""Lists the gold sets: pages, special cases, and the digest of the data."""

from collections.abc import Iterator

from studies.comparison import Listing
from studies.evaluation.results import Results
from studies.study import Study


def make(results: Results) -> Iterator[Listing]:
    """Yields the list."""
    rows = tuple(
        (
            facts.title,
            f"{facts.pages:,}" if facts.present else "absent",
            "; ".join(f"{count:,} {case}" for case, count in facts.cases.items() if count),
            facts.data[:12],
        )
        for facts in results.facts.values()
    )
    yield Listing("The sets that were measured.", ("set", "pages", "special cases", "data (SHA-256)"), rows)


STUDY = Study("", "Gold sets", "", make)
