"""Makes the numbers of section 2.9.4: blocks that have good and bad text nodes."""

from collections.abc import Iterator

from studies.comparison import Number, Table
from studies.evaluation import notes
from studies.evaluation.results import Results
from studies.study import Study

#: Our count -> the row, and the number in the text.
_ROWS = {"blocks": ("blocks", "18126"), "100": ("mixed, AR = 100", "6"), "0": ("mixed, AR > 0", "218")}


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    halves = (results.canola or {}).get("coherence", ())
    numbers = [
        Number(title, "blocks", published_value, str(sum(half[key] for half in halves)) if halves else "")
        for key, (title, published_value) in _ROWS.items()
    ]
    about = "Blocks of both halves of Canola, and those that have good as well as bad text nodes."
    below = notes.of_sets(results, "canola-test", "canola-dev")
    yield Table("2.9.4", "Coherence of blocks", about, numbers, below)


STUDY = Study("Section 2.9.4", "Coherence of blocks", "2.9.4", make, needs=("canola",))
