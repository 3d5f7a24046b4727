"""Makes table 2.5: all systems by text nodes of Canola."""

from studies.evaluation.notes import CANOLA
from studies.pomikalek_2011.chapter_2.scored import NCLEANER, Scored
from studies.study import Study

NODES = Scored(
    "2.5",
    "Text nodes of Canola",
    "canola-test",
    {"AR100_": "nodes_100", "AR0_": "nodes_0"},
    "Text nodes of the test set, weighted by their characters, at annotation reliability (AR) 100 and above 0.",
    (CANOLA, NCLEANER),
)
STUDY = Study("Table 2.5", NODES.title, "2.9.6", NODES.tables, ("2.5",), ("canola",))
