"""How good the language kit is: its tables, measured on third-party data."""

from collections.abc import Callable, Iterator
from pathlib import Path

from corpusprep.language_tables import boilerplate, encodings, identification

#: By name: the columns, and what gives the rows, from the folder of the data.
TABLES: dict[str, tuple[tuple[str, ...], Callable[[Path], Iterator[tuple[str, ...]]]]] = {
    "stop_lists": (boilerplate.COLUMNS, boilerplate.rows),
    "identification": (identification.COLUMNS, identification.rows),
    "encodings": (encodings.CROSS_VALIDATION_COLUMNS, encodings.cross_validation),
    "charsets": (encodings.LABELLED_COLUMNS, encodings.labelled),
}
