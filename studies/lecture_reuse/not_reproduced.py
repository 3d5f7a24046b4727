"""Names the numbers and figures of the lecture that nothing measures here."""

from typing import Any

from studies.study import Study

_CRAWLS = (
    "Needs the logs of the lecture’s crawls, which are not public. corpusprep measures the yield of the hosts of a "
    "user’s own crawl."
)

STUDIES: tuple[Study[Any], ...] = (
    Study(
        "Section 1",
        "Frequencies of modifiers of “deliver speech”",
        "1",
        missing="Needs the British National Corpus, ukWaC, enTenTen12 and enClueWeb09, which cannot be distributed.",
    ),
    Study("Section 2", "Efficiency of crawling: Heritrix", "2", missing=_CRAWLS),
    Study("Section 2", "Efficiency of crawling: SpiderLing", "2", missing=_CRAWLS),
    Study("Section 3", "Examples of boilerplate and of classes", "3", missing="Pictures of examples, without numbers."),
)
