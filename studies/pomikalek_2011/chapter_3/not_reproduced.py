"""Names the tables and figures of chapter 3 and of appendix A that nothing measures here."""

from typing import Any

from studies.study import Study

_REPORT = (
    "Needs {}, which cannot be distributed. The report of each corpus has this table of its own crawl, ours beside the "
    "published: `results/<corpus>/report.html`."
)
_CONCORDANCES = (
    "A screen of a corpus manager on ClueWeb09, which cannot be distributed. corpusprep writes concordances of a "
    "user’s own corpus as such pages, before and after cleaning."
)

STUDIES: tuple[Study[Any], ...] = (
    Study(
        "Figure 3.5",
        "Example of classification with duplicate blocks",
        "3.5.2",
        missing="A drawing of an example: tests of block de-duplication run such cases.",
    ),
    Study("Table 3.7", "Processing times", "3.6.5", published=("3.7",), missing=_REPORT.format("7 % of ClueWeb09")),
    Study(
        "Table 3.8",
        "Corpus size throughout processing",
        "3.6.5",
        published=("3.8",),
        missing=_REPORT.format("7 % of ClueWeb09"),
    ),
    Study(
        "Table 3.9",
        "Details of processing Web corpora",
        "3.7",
        published=("3.9",),
        missing=_REPORT.format("the crawls of enTenTen, itTenTen and deTenTen, and ClueWeb09"),
    ),
    *(
        Study(f"Figure A.{number}", title, "A", missing=_CONCORDANCES)
        for number, title in enumerate(
            (
                "Before cleaning: the first page of a concordance",
                "After cleaning: the first page of a concordance",
                "Before cleaning: shuffled concordances",
                "After cleaning: shuffled concordances",
                "Before cleaning: concordances sorted by right context",
                "After cleaning: concordances sorted by right context",
            ),
            start=1,
        )
    ),
)
