"""What holds for every table of the statistics."""

import importlib
import pkgutil
from itertools import pairwise
from pathlib import Path

import pytest
from support import corpus_fixture as fixture
from support.counting import compute

from corpusprep import statistics
from corpusprep.io import tsv
from corpusprep.pipeline import TABLES
from corpusprep.report.corpus_statistics import PLACED
from corpusprep.report.plain_tables import plain_table
from corpusprep.statistics import registry
from corpusprep.statistics.table import Source, Table
from corpusprep.tables import schemas


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of a made-up corpus."""
    made = fixture.write(tmp_path_factory.mktemp("corpus"), fixture.draw(seed=2, batches=2, records=20))
    compute(made.folder, made.folder / "statistics")
    return made.folder / "statistics"


def test_every_class_is_named_in_the_pipeline() -> None:
    """A module of a table that nothing names would never be run."""
    modules = [
        importlib.import_module(f"{statistics.__name__}.{module.name}")
        for module in pkgutil.iter_modules(statistics.__path__)
    ]
    named = {
        found.name
        for module in modules
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, Table) and "name" in vars(found)
    }
    assert named == set(TABLES)
    assert len(TABLES) == len(set(TABLES))


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_described(name: str) -> None:
    """All of them and all columns have a meaning."""
    kind = registry.table(name)
    assert kind.__module__ == f"corpusprep.statistics.{name}"
    assert "__doc__" in vars(kind)
    assert kind.columns
    assert len(set(kind.names)) == len(kind.names)
    assert all(column.meaning for column in kind.columns)
    assert name in PLACED or (kind.title and kind.about)


@pytest.mark.parametrize("name", TABLES)
def test_sources_are_in_the_order_of_reading(name: str) -> None:
    """What a table gets from its sources, it has a method for; numbers fit into the file of counts."""
    kind = registry.table(name)
    order = list(Source)
    assert all(order.index(first) < order.index(second) for first, second in pairwise(kind.sources))
    assert len(kind.numbers) <= sum(column.startswith("n") for column in schemas.COUNTS)
    has = {method for method in vars(Table) if getattr(kind, method) is not getattr(Table, method)}
    assert "rows" in has
    assert ("added_up" in has) == bool(kind.sums_of_keys)
    assert {"add_words", "best_words", "frequent_enough"} <= has or Source.WORDS not in kind.sources
    assert "add_hosts" in has or Source.HOSTS not in kind.sources
    assert "count" in has or not kind.numbers or name == "keywords"


def test_places_in_the_report_are_of_tables() -> None:
    """No table that is gone has a place."""
    assert set(TABLES) >= PLACED


@pytest.mark.parametrize("name", TABLES)
def test_tables_can_be_printed(folder: Path, name: str) -> None:
    """Each as its class declares it, although some are printed in another way."""
    kind = registry.table(name)
    rows = tsv.read(folder / f"{name}.tsv")
    assert all(tuple(row) == kind.names for row in rows)
    shown = plain_table(kind, rows, len(rows))
    assert len(shown.rows) == min(len(rows), kind.most_rows or len(rows))
    assert {len(cells) for cells in shown.rows} <= {len(shown.headings)}
    assert sum(columns for _, columns in shown.groups) in (0, len(shown.headings))
    assert bool(shown.cut) == (len(rows) > len(shown.rows))
