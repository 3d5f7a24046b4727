"""Makes table 2.6: all systems by words of Canola."""

from studies.evaluation.notes import CANOLA
from studies.pomikalek_2011.chapter_2.scored import NCLEANER, Scored
from studies.study import Study

WORDS = Scored(
    "2.6",
    "Words of Canola",
    "canola-test",
    {"with_undec_": "words_with", "without_": "words_without"},
    "Words of the test set, with and without the undecided text nodes in the gold standard.",
    (CANOLA, NCLEANER),
)
STUDY = Study("Table 2.6", WORDS.title, "2.9.6", WORDS.tables, ("2.6",), ("canola",))
