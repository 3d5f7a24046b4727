"""Finds the tables of the statistics: the class of each table that pipeline.TABLES names, in this order."""

import importlib
from functools import cache

from corpusprep.pipeline import TABLES
from corpusprep.statistics.table import Source, Table


@cache
def table(name: str) -> type[Table]:
    """Returns the class of a table; imports its module."""
    module = importlib.import_module(f"corpusprep.statistics.{name}")
    return next(
        candidate
        for candidate in vars(module).values()
        if isinstance(candidate, type) and issubclass(candidate, Table) and vars(candidate).get("name") == name
    )


def tables() -> tuple[type[Table], ...]:
    """Returns all tables."""
    return tuple(table(name) for name in TABLES)


def counted(*, many_keys: bool) -> tuple[type[Table], ...]:
    """Returns the tables that batches count: those with many keys, or those with few."""
    return tuple(candidate for candidate in tables() if candidate.numbers and candidate.many_keys() == many_keys)


def made_from(source: Source) -> tuple[type[Table], ...]:
    """Returns the tables that read a source."""
    return tuple(candidate for candidate in tables() if source in candidate.sources)
