"""Makes the scorer that section 2.10 asks for: scores against each annotator of Canola."""

from collections.abc import Iterator

from studies.comparison import Number, Table
from studies.evaluation.numbers import NAMES, two
from studies.evaluation.results import Results
from studies.study import Study

_KINDS = {"nodes": "text nodes: ", "words": "words: ", "merged": "majority: "}


def make(results: Results) -> Iterator[Table]:
    """Yields the scores against each annotator of Canola, beside those against the merged annotation."""
    votes = (results.canola or {}).get("votes", {})
    numbers = []
    for title, several in votes.get("systems", {}).items():
        for kind, label in _KINDS.items():
            for name, value in zip(NAMES, several.get(kind, ()), strict=False):
                if kind != "merged" or name == "F1":
                    numbers.append(Number(title, f"{label}{name}", "", two(value)))
    about = (
        "The scorer that 2.10 asks for: each system against every annotator of a page, the mean of their counts. By "
        "characters of text nodes, and by words with a gold text per annotator. Beside it is F1 of the text nodes of "
        "the same pages against the majority (AR > 0). The last row is the agreement of people: no system can be "
        "expected to reach more."
    )
    below = []
    if votes:
        below.append(
            f"{votes['pages']} pages of the test set with {votes['annotators']:.2f} annotators on average; "
            f"{votes['left_out']} pages whose table of votes does not have the page’s text nodes are left out."
        )
    yield Table("2.10 votes", "Scores against several annotators", about, numbers, below)


STUDY = Study("Section 2.10", "Scores against several annotators", "2.10", make, needs=("canola",))
