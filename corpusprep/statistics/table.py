"""What a table of the statistics is: its columns, what it is made from, its rows, and how the report shows it.

Each table that `pipeline.TABLES` names has a module of that name here, with one class. The steps of the statistics, the
report, the reference and the tests read the class.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import polars as pl

from corpusprep.io import tsv
from corpusprep.io.readable import printable, thousands
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.statistics.joined_verdicts import JoinedVerdicts

#: The sums of a table over all batches: key -> its numbers.
Totals = Mapping[str, tuple[int, ...]]
AnyTable = TypeVar("AnyTable", bound="Table")


class Source(Enum):
    """What tables are made from, in the order in which it is read."""

    BATCHES = "the sums over all batches, and files of the corpus's folder"
    HOSTS = "each host, with the sums of domains.Domains"
    WORDS = "each word that can be in a table, with the sums of keywords.Keywords"
    PAGES = "chosen pages with their blocks (chosen_pages)"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: its name in the file.
        meaning: what its cells are, for the reference (Markdown).
        heading: its heading in the report; the name with spaces if not given.
        group: a heading that it shares with its neighbours in the report.
        form: prints a cell in the report.
        foreign: whether its cells are text of pages, which may run in another direction than the report.
        shown: whether the report has it.
    """

    name: str
    meaning: str
    heading: str | None = None
    group: str = ""
    form: Callable[[str], str] = thousands
    foreign: bool = False
    shown: bool = True

    @property
    def title(self) -> str:
        """Its heading in the report."""
        return self.name.replace("_", " ") if self.heading is None else self.heading


def names_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """Returns the names of columns."""
    return tuple(column.name for column in columns)


def printed_word(text: str) -> str:
    """Returns a word as the report prints it."""
    return printable(text, 40)


def printed_host(text: str) -> str:
    """Returns the name of a host as the report prints it."""
    return printable(text, 80) or "(no host)"


def crawl_and_corpus(unit: str, crawl: str, corpus: str, *, shown: bool = True) -> tuple[Column, Column]:
    """Returns two columns: how much of a unit the crawl and the corpus have, with the meanings of both."""
    return (
        Column(f"{unit}_crawl", crawl, "in the crawl", unit, shown=shown),
        Column(unit, corpus, "in the corpus", unit, shown=shown),
    )


class Table:
    """A table of the statistics; its docstring says what it holds, also in the reference (Markdown).

    Attributes:
        name: its name, which its module and its file have, too.
        columns: its columns, in order.
        names: their names.
        sources: what it is made from, in the order of Source.
        numbers: names of the numbers that are counted of each batch (`count`); at most seven.
        sums_of_keys: of a table whose batches count many keys of which only sums are needed, the names of the sums.
        title: its heading in the report.
        about: a sentence below it.
        most_rows: the most rows that the report has, of each stage or host where it is divided by them; None: all.
        without_rows: what the report says in place of rows.
        optional: whether the report leaves it out if it has no rows.
    """

    name: ClassVar[str]
    columns: ClassVar[tuple[Column, ...]] = ()
    names: ClassVar[tuple[str, ...]]
    sources: ClassVar[tuple[Source, ...]] = (Source.BATCHES,)
    numbers: ClassVar[tuple[str, ...]] = ()
    sums_of_keys: ClassVar[tuple[str, ...]] = ()

    title: ClassVar[str] = ""
    about: ClassVar[str] = ""
    most_rows: ClassVar[int | None] = 20
    without_rows: ClassVar[str] = "no rows"
    optional: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Names the columns."""
        cls.names = names_of(cls.columns)

    def __init__(self, inputs: "Inputs | None" = None) -> None:
        """Starts without rows; what `inputs` has grows until all sources are read."""
        self.inputs = inputs or Inputs()

    @property
    def totals(self) -> Totals:
        """Its sums over all batches."""
        return self.inputs.totals.get(self.name, {})

    @classmethod
    def many_keys(cls) -> bool:
        """Returns whether its batches count more keys than are in memory when the table is made."""
        return bool(cls.numbers) and (bool(cls.sums_of_keys) or Source.BATCHES not in cls.sources)

    def count(self, part: JoinedVerdicts) -> pl.DataFrame:
        """Counts a part of a batch: returns the columns `key` and `numbers`; a key may occur more than once."""
        raise NotImplementedError

    @staticmethod
    def added_up(sums: pl.DataFrame) -> tuple[int, ...]:
        """Returns `sums_of_keys`, of a frame with `key` and `numbers` in which each key occurs once."""
        raise NotImplementedError

    def add_hosts(self, hosts: pl.DataFrame) -> None:
        """Adds hosts: `key` and Domains.numbers; called until all hosts were given once."""

    def add_words(self, words: pl.DataFrame) -> None:
        """Adds words: `key` and Keywords.numbers; called until all words that can be in a table were given once."""

    @staticmethod
    def best_words(words: pl.DataFrame, running: Mapping[str, int], /) -> pl.Series:
        """Returns those words that can be in the table; a word may occur more than once.

        Args:
            words: one row per word: `key` and Keywords.numbers.
            running: number of running words by name (Keywords.numbers).
        """
        raise NotImplementedError

    @staticmethod
    def frequent_enough(best: pl.DataFrame, running: Mapping[str, int], /) -> pl.Expr:
        """Returns a condition that all words meet that can be in the table beside `best`; most words do not.

        Args:
            best: other words, as `best_words` has them.
            running: number of running words by name (Keywords.numbers).
        """
        raise NotImplementedError

    def add_pages(self, part: JoinedVerdicts, pages: pl.DataFrame) -> None:
        """Adds chosen pages.

        Args:
            part: the pages with their blocks.
            pages: of those whose text may be shown: record, host, place and of_host (chosen_pages.choose).
        """

    def rows(self) -> Iterable[Sequence[tsv.Cell]]:
        """Returns the rows, in order, when all sources are read."""
        raise NotImplementedError

    @classmethod
    def shown_columns(cls) -> list[Column]:
        """Returns the columns that the report has."""
        return [column for column in cls.columns if column.shown]

    @classmethod
    def cells(cls, row: tsv.Row) -> list[str]:
        """Returns a row as the report prints it: a cell per shown column."""
        return [column.form(row[column.name]) for column in cls.shown_columns()]


@dataclass
class Inputs:
    """What the tables of a corpus are made from.

    Attributes:
        preset: the preset of jusText that the corpus's thresholds are based on.
        thresholds: what the cleaner's scores are compared with (thresholds.Used); None: no stored scores decide.
        corpus: the corpus.
        folder: an existing folder for temporary files.
        stack: closes what tables hold open until they are written.
        totals: table -> its sums over all batches; of a table with `sums_of_keys`, these, with an empty key.
        running: number of running words by name (keywords.Keywords.numbers).
        tables: the tables of all sources that are read, or being read, by name.
    """

    preset: str = "A"
    thresholds: Any = None
    corpus: CorpusFolder = field(default_factory=lambda: CorpusFolder(Path(), (), 0, 0))
    folder: Path = Path()
    stack: ExitStack = field(default_factory=ExitStack)
    totals: dict[str, Totals] = field(default_factory=dict)
    running: dict[str, int] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)

    def table(self, kind: type[AnyTable]) -> AnyTable:
        """Returns another table."""
        return cast("AnyTable", self.tables[kind.name])
