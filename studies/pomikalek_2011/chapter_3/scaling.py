"""Duplicate 10-grams of texts of 1 to 9,292 million words: seconds and types (Pomikálek 2011, 3.4.2, table 3.2).

`python bench table-3-2` measures both methods of the stage `ngrams` on made corpora. It writes scaling.tsv beside this
module. Rows of the thesis that were not measured are estimated from the two largest that were.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from importlib import resources
from pathlib import Path

from studies import published
from studies.pomikalek_2011.chapter_3 import measured

#: The methods. The thesis's is the first.
METHODS = ("suffix-sort", "hash")


@dataclass(slots=True, frozen=True)
class Measured:
    """What one method took for one corpus.

    Attributes:
        million_words: the row of the thesis.
        method: of METHODS.
        tokens: tokens of the corpus.
        counted_tokens: those that n-grams are made of: neither stop words nor punctuation.
        cpu_seconds: user and system time of all processes, their start included.
        peak_megabytes: memory of the largest process.
        duplicate_types: different 10-grams that occur twice or more.
    """

    million_words: int
    method: str
    tokens: int
    counted_tokens: int
    cpu_seconds: float
    peak_megabytes: int
    duplicate_types: int


@dataclass(slots=True, frozen=True)
class Row:
    """A row of the table, for one method: measured or estimated."""

    million_words: int
    method: str
    seconds: float
    types: int
    estimated: bool

    @property
    def printed(self) -> str:
        """The seconds; estimated ones without decimals."""
        return f"{self.seconds:.{0 if self.estimated else 1}f}"


def measured_file() -> Path:
    """Returns the path of the measurements."""
    return Path(str(resources.files("studies.pomikalek_2011.chapter_3"))) / "scaling.tsv"


def read(path: Path | None = None) -> list[Measured]:
    """Reads measurements, by default the ones of this version.

    Raises:
        StageFileError: the file is missing or not of this kind.
    """
    return measured.read(path or measured_file(), Measured)


def as_text(rows: Iterable[Measured]) -> str:
    """Returns measurements as the text of scaling.tsv, by size and method."""
    names = [field.name for field in fields(Measured)]
    ordered = sorted(rows, key=lambda row: (row.million_words, METHODS.index(row.method)))
    lines = [names, *([str(getattr(row, name)) for name in names] for row in ordered)]
    return "".join("\t".join(line) + "\n" for line in lines)


def table(rows: Sequence[Measured]) -> list[Row]:
    """Returns the rows of table 3.2, each with both methods.

    Seconds are estimated along the line through the two largest corpora that were measured, types along the power law
    through them.
    """
    made = []
    for published_row in published.table("3.2"):
        words = int(published_row["million_words"])
        for method in METHODS:
            of_method = sorted((row for row in rows if row.method == method), key=lambda row: row.million_words)
            own = next((row for row in of_method if row.million_words == words), None)
            if own:
                made.append(Row(words, method, own.cpu_seconds, own.duplicate_types, False))
            else:
                made.append(Row(words, method, *_estimate(of_method[-2], of_method[-1], words), True))
    return made


def _estimate(small: Measured, large: Measured, words: int) -> tuple[float, int]:
    """Returns the seconds and the types at a size."""
    slope = (large.cpu_seconds - small.cpu_seconds) / (large.million_words - small.million_words)
    seconds = large.cpu_seconds + slope * (words - large.million_words)
    exponent = math.log(large.duplicate_types / small.duplicate_types) / math.log(
        large.million_words / small.million_words
    )
    types = large.duplicate_types * (words / large.million_words) ** exponent
    return float(round(seconds)), 1000 * round(types / 1000)


def notes(rows: Sequence[Measured]) -> list[str]:
    """Returns what explains the differences from the published numbers, from the numbers themselves."""
    made = table(rows)
    published_rows = published.table("3.2")
    largest = max(rows, key=lambda row: row.million_words)
    share = 100 * largest.counted_tokens / largest.tokens
    seconds = {"published": [(float(row["seconds"]), int(row["million_words"])) for row in published_rows]}
    for method in METHODS:
        seconds[method] = [(row.seconds, row.million_words) for row in made if row.method == method]
    per_million = ", ".join(
        f"{name} {points[0][0] / points[0][1]:.2f} to {points[-1][0] / points[-1][1]:.2f}"
        for name, points in seconds.items()
    )
    ours = [(row.types, row.million_words) for row in made if row.method == METHODS[0]]
    printed = [(int(row["duplicate_10gram_types"]), int(row["million_words"])) for row in published_rows]
    per_thousand = ", ".join(
        f"{name} {points[0][0] / points[0][1] / 1000:.1f} to {points[-1][0] / points[-1][1] / 1000:.1f}"
        for name, points in (("published", printed), ("ours", ours))
    )
    estimated = [f"{row.million_words:,}" for row in made if row.estimated and row.method == METHODS[0]]
    return [
        "Both leave out stop words and punctuation (footnote 5 of the thesis), so seconds and types compare. Sizes "
        "are words in the thesis and tokens here. Of 100 "
        f"tokens, n-grams are made of {share:.0f}. Ours: CPU seconds of all processes, their start included, on "
        "corpora made from a crawl of documentation. Published: seconds on one 2.4 GHz machine, for Web pages.",
        *(
            [
                f"Estimated, not measured: ours for {' and '.join(estimated)} million words. Seconds follow the line "
                "through the two largest corpora that were measured, types the power law through them."
            ]
            if estimated
            else []
        ),
        f"Seconds per million words, from the smallest to the largest text: {per_million}. In short runs, ours are "
        "mostly the start of the processes.",
        f"Duplicate types per 1,000 words, in the same way: {per_thousand}. They show how much of a corpus is copied.",
    ]


def markdown(rows: Sequence[Measured]) -> str:
    """Returns the table and the notes for the page of the documents."""
    head = ["million words", *(f"CPU seconds, `{method}`" for method in METHODS), "duplicate 10-grams"]
    head += ["thesis: seconds", "thesis: duplicate 10-grams"]
    made = {(row.million_words, row.method): row for row in table(rows)}
    lines = [head, ["---:"] * len(head)]
    for published_row in published.table("3.2"):
        words = int(published_row["million_words"])
        of_methods = [made[words, method] for method in METHODS]
        mark = " (estimated)" if of_methods[0].estimated else ""
        cells = [f"{row.seconds:,.{0 if mark else 1}f}{mark}" for row in of_methods] + [
            f"{of_methods[0].types:,}{mark}"
        ]
        printed = f"{int(published_row['duplicate_10gram_types']):,}"
        lines.append([f"{words:,}", *cells, f"{float(published_row['seconds']):,g}", printed])
    of_table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return of_table + "\n\n" + "\n".join(f"* {note}" for note in notes(rows))
