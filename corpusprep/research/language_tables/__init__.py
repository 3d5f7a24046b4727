"""How good the language kit is: its tables, measured on third-party data."""

from collections.abc import Callable, Iterator
from pathlib import Path

from corpusprep.research.language_tables import boilerplate, encodings, identification

Rows = Iterator[tuple[str, ...]]

#: By name: the columns, and what gives the rows, from the folder of the data and that of pages to take the markup of.
TABLES: dict[str, tuple[tuple[str, ...], Callable[[Path, Path], Rows]]] = {
    "stop_lists": (boilerplate.COLUMNS, lambda data, _: boilerplate.rows(data)),
    "identification": (identification.COLUMNS, lambda data, _: identification.rows(data)),
    "encodings": (encodings.CROSS_VALIDATION_COLUMNS, encodings.cross_validation),
    "charsets": (encodings.LABELLED_COLUMNS, lambda data, _: encodings.labelled(data)),
}
