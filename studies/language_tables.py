"""Measures the language tables and detectors on third-party data."""

from collections.abc import Callable, Iterator
from pathlib import Path

from studies.languages import confusions, identification, learned, scores
from studies.languages import stop_lists as boilerplate
from studies.presemt_2012 import damaged_pages, encodings

Rows = Iterator[tuple[str, ...]]

#: By name: the columns, and the function that yields the rows. Its arguments are the folder of the data and a folder of
#: pages, whose markup the made pages have.
TABLES: dict[str, tuple[tuple[str, ...], Callable[[Path, Path], Rows]]] = {
    "stop_lists": (boilerplate.COLUMNS, lambda data, _: boilerplate.rows(data)),
    "learned": (learned.COLUMNS, lambda data, _: learned.rows(data)),
    "identification": (identification.COLUMNS, lambda data, _: identification.rows(data)),
    "scores": (scores.COLUMNS, lambda data, _: scores.rows(data)),
    "page_languages": (confusions.PAGE_COLUMNS, lambda data, _: confusions.page_rows(data)),
    "confusions": (confusions.COLUMNS, lambda data, _: confusions.rows(data)),
    "encodings": (encodings.CROSS_VALIDATION_COLUMNS, encodings.cross_validation),
    "charsets": (encodings.LABELLED_COLUMNS, lambda data, _: encodings.labelled(data)),
    "damaged_pages": (damaged_pages.COLUMNS, damaged_pages.rows),
}
