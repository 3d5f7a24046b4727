"""Makes table 2.8: all systems on CleanEval."""

from studies.pomikalek_2011.chapter_2.scored import BOILERPIPE, BY_WORDS, NCLEANER, Scored
from studies.study import Study

CLEANEVAL = Scored(
    "2.8",
    "CleanEval",
    "cleaneval-final",
    {"": "words"},
    BY_WORDS,
    (
        "Words are aligned as by difflib, but without its heuristic for popular words, which Python 2.5 always "
        "applied; see the table of causes.",
        "The baseline is all text of the page except <head>, <script> and <style>; the thesis used the output of Lynx. "
        "The baseline lacks what Lynx adds, and includes the text of <select> and <noscript>.",
        "ArticleExtractor keeps one continuous text per page, which suits news.",
        BOILERPIPE,
        NCLEANER,
    ),
)
STUDY = Study("Table 2.8", CLEANEVAL.title, "2.9.7", CLEANEVAL.tables, ("2.8",), ("cleaneval",))
