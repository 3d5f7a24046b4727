"""The table of page scores that training writes beside a model: `<model>.pages.tsv`."""

from corpusprep.gold.scores import Counts

#: How a model was measured on a set that it was trained on.
CROSS, LEFT_OUT = "cross-validated", "set left out"
PAGE_COLUMNS = (
    *("set", "page", "group", "language", "kind", "gold_words", "left_out", "measure", "protocol"),
    *Counts._fields,
)
