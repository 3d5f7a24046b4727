"""Names the tables and figures of chapters 1 and 2 that nothing measures here."""

from typing import Any

from studies.study import Study

_CONCORDANCES = (
    "A screen of a corpus manager on ClueWeb09, which cannot be distributed. corpusprep writes concordances of a "
    "user’s own corpus as such pages, before and after cleaning."
)

STUDIES: tuple[Study[Any], ...] = (
    Study("Figure 1.1", "Search results in a corpus that was not cleaned", "1.1", missing=_CONCORDANCES),
    Study(
        "Figure 2.1",
        "Boilerplate on a Web page",
        "2.2",
        missing="A picture of an example. The report of each corpus shows such pages, with the decision on each block.",
    ),
    Study("Figure 2.2", "DOM tree of a sample document", "2.3", missing="A drawing of an example, without numbers."),
    Study(
        "Table 2.1",
        "Classes of medium-size and long blocks",
        "2.7.2",
        missing="A part of the algorithm, which jusText implements here; its tests check each case.",
    ),
    Study(
        "Figure 2.3",
        "Example of context-sensitive classification",
        "2.7.3",
        missing="A drawing of an example: a test of jusText runs such cases.",
    ),
    Study("Figure 2.4", "Annotation format of Canola, pages", "2.8.2", missing="A part of a file, without numbers."),
    Study("Figure 2.5", "Annotation format of Canola, votes", "2.8.2", missing="A part of a file, without numbers."),
)
