"""Makes table 2: the training data."""

from collections.abc import Iterator

from studies import published
from studies.comparison import Number, Table
from studies.schaefer_2017.results import Results
from studies.schaefer_2017.vectors import LANGUAGES
from studies.study import Study


def make(results: Results) -> Iterator[Table]:
    """Yields the table."""
    about = "Blocks of each language, and the share that is right if all blocks are called boilerplate."
    yield Table("2", "Training data", about, list(_numbers(results)))


def _numbers(results: Results) -> Iterator[Number]:
    published_rows = {row["language"]: row for row in published.table("schaefer.4")}
    for code, language in LANGUAGES.items():
        row, known = results.sizes[code], published_rows[language]
        yield Number(language, "boilerplate", known["boilerplate_blocks"], row["boilerplate_blocks"])
        yield Number(language, "content", known["content_blocks"], row["content_blocks"])
        yield Number(language, "baseline", known["baseline"], f"{results.baseline(code):.3f}")


STUDY = Study("Table 2", "Training data", "3.1", make, ("schaefer.4",), ("texrex-blocks",))
