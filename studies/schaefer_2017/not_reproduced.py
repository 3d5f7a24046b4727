"""Names the numbers of Schäfer's paper that nothing measures here."""

from typing import Any

from studies.study import Study

STUDIES: tuple[Study[Any], ...] = (
    Study(
        "Section 3.5",
        "Efficiency in production",
        "3.5",
        missing="A benchmark of the program texrex on 11,781 documents that are not public. The speed of all cleaners "
        "here is in `results/evaluation/report.html`.",
    ),
)
