"""Targets of the workflow on gold data, and their jobs, as command lines name them."""

import re

#: Those that need no archive.
WITHOUT_CORPORA = re.compile(
    r"(evaluation(_\w+)?|languages|language_table|models|(content|cleaner)_model|texrex(_\w+)?|lecture_reuse(_\w+)?"
    r"|studies(_page)?)(:|$)"
)
