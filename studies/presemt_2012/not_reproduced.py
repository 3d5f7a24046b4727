"""Names the tables of PRESEMT's deliverable that nothing measures here."""

from typing import Any

from studies.study import Study

STUDIES: tuple[Study[Any], ...] = (
    Study(
        "Table 2",
        "Statistical data on monolingual corpora",
        "7",
        published=("presemt.2",),
        missing="Needs the crawls of six TenTen corpora, which are not public. The page of all corpora, "
        "`results/report.html`, has the same rows for the corpora of a config, beside the published ones.",
    ),
    Study(
        "Table 3",
        "Bilingual corpora",
        "8",
        missing="A list of corpora that were given to the project: nothing is measured. corpusprep makes monolingual "
        "corpora only.",
    ),
)
