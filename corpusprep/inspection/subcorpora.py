"""Parts of a corpus: the documents whose attributes pass a condition, and names of such parts, kept with the corpus."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from corpusprep.corpus.formats.frequencies import PARTS
from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.inspection.conditions import passing
from corpusprep.inspection.matching import unescaped
from corpusprep.inspection.parsed_query import Clause, Query, Structure
from corpusprep.inspection.query import parse_condition
from corpusprep.io import tsv
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import TablePieces, read_table
from corpusprep.text.vertical import unescape

#: The file of a corpus that has the names of its parts.
NAMES = "subcorpora.tsv"
#: `<folder>/documents.parquet`: one row per document with text, in the stable order: date, URL, identifier.
DOCUMENTS = pl.Schema(
    {
        "batch": pl.UInt32,  # number of the batch
        "document": pl.UInt32,  # number of the document in the batch
        "tokens": pl.Int64,
        "line": pl.String,  # its line <doc …>, with its signals of quality
    }
)
#: What the names of signals of quality begin with, in conditions: `quality.punctuated_lines>=0.5`.
QUALITY = "quality."
_KEYS = ("record", "document")
#: Rows whose conditions are looked at together.
_ROWS = 1 << 16
_NAME = re.compile(r"[\w.-]{1,100}")


def attribute(name: str) -> pl.Expr:
    """Returns the value of an attribute in the column `line`, as it is written there; empty if it is missing."""
    return pl.col("line").str.extract(rf'\s{re.escape(name)}="([^"]*)"').fill_null("")


def with_quality(rows: pl.DataFrame, files: BatchFiles) -> pl.DataFrame:
    """Adds the signals of the stage `quality` to the lines of documents, as attributes, where a corpus has them.

    Args:
        rows: with the columns document and line.
        files: of their batch.
    """
    if not files.quality.exists():
        return rows
    signals = [name for name, kind in schemas.QUALITY.items() if kind.is_numeric() and name not in _KEYS]
    shown = (pl.format(f' {QUALITY}{name}="{{}}"', pl.col(name).cast(pl.String).fill_null("")) for name in signals)
    quality = read_table(files.quality, schemas.QUALITY, ["document", *signals])
    named = read_table(files.tokens, schemas.TOKENS, ["document", "id"]).join(quality, on="document")
    known = named.select("id", signals=pl.concat_str(list(shown)))
    joined = rows.with_columns(id=attribute("id")).join(known, on="id", how="left", maintain_order="left")
    line = pl.col("line").str.strip_suffix(">") + pl.col("signals").fill_null("") + ">"
    return joined.with_columns(line=line).select(rows.columns)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a corpus.

    Attributes:
        condition: of its documents; None: the whole corpus.
        text: the condition as written.
        negated: whether it is the rest: the documents that do not pass.
    """

    condition: Structure | None = None
    text: str = ""
    negated: bool = False

    @property
    def rest(self) -> "Part":
        """All documents that are not in the part."""
        return Part(self.condition, self.text, not self.negated)


#: All documents.
WHOLE = Part()


def part_of(corpus_dir: Path, where: str | None, name: str | None) -> Part:
    """Returns a part of a corpus, by its condition, or by the name that it was saved under.

    Raises:
        ConfigError: there is no part of that name, or both are given.
        PatternError: the condition is wrong.
    """
    if name:
        if where:
            raise ConfigError("give a condition, or the name of a subcorpus, not both")
        known = saved(corpus_dir)
        if name not in known:
            there = f"there is {', '.join(known)}" if known else "none was saved yet (--save NAME)"
            raise ConfigError(f"{corpus_dir}: no subcorpus {name}; {there}")
        where = known[name]
    if not where:
        return WHOLE
    return Part(parse_condition(where), where.strip())


def in_part(query: Query, part: Part) -> Query:
    """Returns the query that finds the hits of another one in a part of the corpus.

    Raises:
        ConfigError: the part is one by quality, which verticals do not have.
    """
    if part.condition is None:
        return query
    if any(name.startswith(QUALITY) for name in part.condition.attributes):
        raise ConfigError(f"{part.text}: a search knows the attributes of <doc> only, no {QUALITY}…")
    return replace(query, clauses=(*query.clauses, Clause(part.condition, negated=part.negated)))


def saved(corpus_dir: Path) -> dict[str, str]:
    """Returns the conditions of the parts that were saved, by their names."""
    path = corpus_dir / NAMES
    return {row["name"]: row["condition"] for row in tsv.read(path)} if path.exists() else {}


def save(corpus_dir: Path, name: str, part: Part) -> None:
    """Saves a part under a name, in place of the one that had it.

    Raises:
        ConfigError: the name has other characters than letters, digits, `_`, `-` and `.`.
        CorpusprepError: it is the whole corpus.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(f"subcorpus {name!r}: a name has letters, digits, _, - and . only")
    if part.condition is None:
        raise CorpusprepError(f"subcorpus {name}: give its condition (--where)")
    rows = saved(corpus_dir) | {name: part.text}
    tsv.write(corpus_dir / NAMES, ("name", "condition"), sorted(rows.items()))


class Documents:
    """The documents of a part of a corpus, in the stable order, which does not depend on batches.

    Attributes:
        tokens: of the part.
        unit_sizes: tokens of each host. A document without a host is by itself: by its address, or its identifier.
        part_sizes: tokens of each of PARTS parts of the hosts.
    """

    def __init__(self, table: Path, part: Part) -> None:
        """Reads the table DOCUMENTS; memory grows by about 100 bytes per document.

        Raises:
            PatternError: no document has an attribute that the condition names.
        """
        read = list(_rows(table, part))
        rows = pl.concat([_EMPTY, *(frame for frame, _ in read)])
        _require_attributes(part, (known for _, known in read))
        rows = rows.filter(pl.col("chosen"))
        sizes = rows["tokens"].to_numpy()
        self.starts: NDArray[np.int64] = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)[: len(sizes)]
        self.tokens = int(sizes.sum())
        units = rows["unit"].unique().sort()
        self.units: NDArray[np.int64] = np.asarray(units.search_sorted(rows["unit"]), dtype=np.int64)
        self.unit_sizes: NDArray[np.int64] = np.bincount(self.units, weights=sizes, minlength=len(units)).astype(
            np.int64
        )
        self.parts: NDArray[np.int64] = units.map_elements(_part, return_dtype=pl.Int64).to_numpy().astype(np.int64)
        self.part_sizes: NDArray[np.int64] = np.bincount(self.parts, weights=self.unit_sizes, minlength=PARTS).astype(
            np.int64
        )
        self._places = rows.select("batch", "document", start=pl.Series(self.starts))

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def hosts(self) -> int:
        """Number of hosts."""
        return len(self.unit_sizes)

    @cached_property
    def _by_batch(self) -> dict[int, pl.DataFrame]:
        split = self._places.partition_by("batch", as_dict=True)
        return {int(number): frame for (number,), frame in split.items()}

    def starts_of(self, batch: int, documents: int) -> NDArray[np.int64]:
        """Returns for each document of a batch the number of its first token in the part; -1: it is not in it.

        Args:
            batch: number of the batch.
            documents: documents of the batch that the answer must have at least.
        """
        rows = self._by_batch.get(batch)
        if rows is None:
            return np.full(documents, -1, dtype=np.int64)
        numbers = rows["document"].to_numpy()
        starts = np.full(max(documents, int(numbers.max()) + 1), -1, dtype=np.int64)
        starts[numbers] = rows["start"].to_numpy()
        return starts


def _added(sizes: NDArray[np.int64], groups: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    sums = np.zeros(count, dtype=np.int64)
    np.add.at(sums, groups, sizes)
    return sums


_EMPTY = pl.DataFrame(
    schema={"batch": pl.UInt32, "document": pl.UInt32, "tokens": pl.Int64, "unit": pl.String, "chosen": pl.Boolean}
)


def sizes(table: Path, part: Part, value: pl.Expr) -> pl.DataFrame:
    """Returns the values of documents of a part, each with its documents and tokens.

    Args:
        table: the table DOCUMENTS.
        part: the part.
        value: of a document, made from its column `line` (attribute).

    Returns:
        A frame with the columns item, documents and tokens, in the order of items, which are as in the text.

    Raises:
        ConfigError: no document has an attribute that the condition names.
    """
    read = list(_rows(table, part, value))
    _require_attributes(part, (known for _, known in read))
    rows = pl.concat([_EMPTY, *(frame for frame, _ in read)]).filter(pl.col("chosen"))
    counted = rows.group_by(item="unit").agg(documents=pl.len().cast(pl.Int64), tokens=pl.col("tokens").sum())
    return counted.with_columns(item=unescaped(counted["item"])).sort("item")


#: What a document without a host is: by itself, by its address, or its identifier.
_HOST = pl.coalesce(*(pl.when(attribute(name) != "").then(attribute(name)) for name in ("host", "url", "id")))


def _rows(table: Path, part: Part, unit: pl.Expr = _HOST) -> Iterator[tuple[pl.DataFrame, set[str]]]:
    """Yields rows of _EMPTY piece by piece, each with the attributes of the condition that a document has."""
    names = part.condition.attributes if part.condition else ()
    for rows in TablePieces(table, list(DOCUMENTS), _ROWS):
        values = rows.select(attribute(name).alias(name) for name in names)
        known = {name for name in names if (values[name] != "").any()}
        chosen = np.ones(rows.height, dtype=np.bool_)
        if part.condition and part.condition.condition:
            columns = [unescaped(values[name]) for name in names]
            chosen = passing(part.condition.condition, columns) != part.negated
        frame = rows.with_columns(unit=unit.fill_null(""), chosen=pl.Series(chosen, dtype=pl.Boolean))
        yield frame.select(_EMPTY.columns), known


def _require_attributes(part: Part, known: Iterator[set[str]]) -> None:
    names = set(part.condition.attributes) if part.condition else set()
    if missing := names - set().union(*known):
        raise ConfigError(f"no document of the corpus has the attribute {min(missing)}: {part.text}")


def _part(unit: str) -> int:
    """Returns the part of a host, as the format `frequencies` has it."""
    return zlib.crc32(unescape(unit).encode()) % PARTS
