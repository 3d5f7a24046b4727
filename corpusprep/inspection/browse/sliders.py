"""Other thresholds on sampled pages of a corpus: what they keep, from stored scores, and how to get them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from corpusprep.cleaners import fixed, registry
from corpusprep.cleaners.interface import VERDICTS, Parameter
from corpusprep.cleaners.scored import ScoredAlgorithm
from corpusprep.errors import ConfigError
from corpusprep.inspection.browse.command_text import command_lines
from corpusprep.inspection.thresholds import Choice, in_use, rows_of
from corpusprep.io.readable import printable, thousands
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles
from corpusprep.tables.reading import TablePieces, read_table
from corpusprep.tables.verdicts import KEPT

#: Blocks whose words are counted: a corpus with more is sampled. Counting them takes 30 ms.
MOST_BLOCKS = 300_000
SHOWN_PAGES = 12
#: Blocks of a page that are shown, and characters of a block.
SHOWN_BLOCKS, SHOWN_CHARACTERS = 80, 300
#: A page with fewer blocks shows little.
LEAST_BLOCKS = 3

#: Characters of a number: a longer one is no threshold, and cannot always be shown.
LONGEST_NUMBER = 20

#: The largest values of sliders for numbers without a largest value.
_LARGEST = {"length_low": 50, "length_high": 150}


@dataclass(frozen=True, slots=True)
class Control:
    """A slider, or a switch.

    Attributes:
        name: of the parameter.
        label: the name in words.
        description: what it does.
        kind: `range` or `checkbox`.
        least, most, step: of a range.
    """

    name: str
    label: str
    description: str
    kind: str
    least: float = 0
    most: float = 1
    step: float = 0.01


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block of a shown page: its row in the sample, and what is shown of it."""

    row: int
    heading: bool
    text: str


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page that is shown with its blocks; `hidden` blocks are not."""

    batch: str
    record: int
    url: str
    title: str
    blocks: tuple[ShownBlock, ...]
    hidden: int


@dataclass(frozen=True, slots=True)
class Counted:
    """What a choice of thresholds keeps.

    Attributes:
        kept, total: words of good blocks and of all blocks of the sample.
        now: words of good blocks as the corpus has them.
        gained, lost: words that it keeps and the corpus does not, and the other way round.
        reasons: why each shown block is removed, in the order of shown blocks; empty for a kept one.
        changed: whether each shown block is decided otherwise than in the corpus.
    """

    kept: int
    total: int
    now: int
    gained: int
    lost: int
    reasons: tuple[str, ...]
    changed: tuple[bool, ...]

    @property
    def summary(self) -> str:
        """One sentence."""
        if not self.total:
            return "The sampled pages have no word."
        share = 100 * self.kept / self.total
        before = 100 * self.now / self.total
        return (
            f"{self.kept:,} of {self.total:,} words kept ({share:.1f} %; the corpus: {before:.1f} %), "
            f"{self.gained:,} more and {self.lost:,} fewer than in the corpus."
        )


class PageSample:
    """Stored scores of sampled pages, and the pages that are shown."""

    def __init__(self, folder: Path) -> None:
        """Reads a sample: whole batches, in the order of their names, which are hashes of their archives.

        Raises:
            ConfigError: stored scores do not decide the blocks of the corpus.
            StageFileError: a table is missing or damaged.
        """
        choice = in_use(folder)
        if choice is None:
            raise ConfigError(
                f"{folder.name}: made by an algorithm that stores no scores, so other thresholds cannot be tried"
            )
        self.folder, self.choice = folder, choice
        columns = sorted(
            {"batch", "record", "block", "words", "label", *fixed.COLUMNS, *choice.algorithm().stored_columns}
        )
        batches = sorted(CorpusFolder.open(folder).batches)
        frames: list[pl.DataFrame] = []
        left, self.whole = MOST_BLOCKS, True
        for batch in batches:
            if left <= 0:
                self.whole = False
                break
            pieces = TablePieces(BatchFiles.of(folder, batch).boilerplate, columns, left)
            rows = pieces.read()
            left -= rows.height
            if not pieces.ended and (frames or rows["record"][0] != rows["record"][-1]):
                rows = rows.filter(pl.col("record") < rows["record"][-1])  # whole pages
            self.whole = self.whole and pieces.ended
            frames.append(rows)
        # Records of different batches get different numbers: algorithms find pages by them.
        self._rows = pl.concat(frames) if frames else schemas.BOILERPLATE.to_frame().select(columns)
        numbers = pl.struct("batch", "record").rle_id().cast(pl.UInt32)
        self._numbered = self._rows.with_columns(record=numbers)
        self.pages_read = int(self._numbered["record"].n_unique())
        self._words = self._rows["words"].to_numpy().astype(np.int64)
        self._now = (self._rows["label"] == "good").to_numpy()
        self.shown = self._shown_pages()
        self._places = np.array([block.row for page in self.shown for block in page.blocks], np.int64)

    @property
    def agrees(self) -> bool:
        """Whether the thresholds of the statistics decide the stored scores as the corpus has them."""
        return bool((fixed.classify_stored(self.choice.algorithm(), self._numbered).good == self._now).all())

    def count(self, choice: Choice) -> Counted:
        """Returns what other thresholds keep.

        Raises:
            ConfigError: a value is not allowed.
        """
        classes = fixed.classify_stored(choice.algorithm(), self._numbered)
        good = classes.good
        codes = classes.verdicts[self._places].tolist()
        return Counted(
            int(self._words[good].sum()),
            int(self._words.sum()),
            int(self._words[self._now].sum()),
            int(self._words[good & ~self._now].sum()),
            int(self._words[~good & self._now].sum()),
            tuple("" if VERDICTS[code] == KEPT else VERDICTS[code] for code in codes),
            tuple((good != self._now)[self._places].tolist()),
        )

    def chosen(self, settings: Mapping[str, str]) -> Choice:
        """Returns the thresholds in use, with those that an address or a form gives.

        Raises:
            ConfigError: a value cannot be read.
        """
        values: dict[str, Any] = dict(self.choice.values)
        if (preset := settings.get("preset", "")) and self.choice.name:
            presets = registry.registration(self.choice.name).presets
            if preset not in presets:
                raise ConfigError(f"preset {preset[:20]!r} is unknown; known: {', '.join(presets)}")
            values = {name: getattr(presets[preset], name) for name in values}
        for name, before in values.items():
            if name not in settings:
                continue
            text = settings[name]
            try:
                if len(text) > LONGEST_NUMBER:
                    raise ValueError
                values[name] = text in ("1", "true", "on") if isinstance(before, bool) else type(before)(text)
            except ValueError:
                raise ConfigError(f"{name} is {text[:20]!r}; write a number") from None
        return Choice(self.choice.name, values)

    def controls(self) -> list[Control]:
        """Returns the sliders and switches of the corpus's algorithm."""
        declared = {parameter.name: parameter for parameter in self._declared()}
        controls = []
        for name in self.choice.values:
            parameter = declared[name]
            label = name.replace("_", " ")
            if isinstance(self.choice.values[name], bool):
                controls.append(Control(name, label, parameter.description, "checkbox"))
            elif isinstance(self.choice.values[name], int):
                controls.append(Control(name, label, parameter.description, "range", 0, _LARGEST.get(name, 100), 1))
            else:
                controls.append(Control(name, label, parameter.description, "range"))
        return controls

    def presets(self) -> list[str]:
        """Returns the presets of the algorithm."""
        return list(registry.registration(self.choice.name).presets) if self.choice.name else []

    def _declared(self) -> list[Parameter]:
        if self.choice.name:
            return registry.registration(self.choice.name).described_parameters()
        return [Parameter("threshold", float, 0.5, "Lowest score of main content.", 0, 1)]

    def _shown_pages(self) -> tuple[ShownPage, ...]:
        """Returns the pages with the smallest hashes of their addresses, as the report does."""
        chosen: list[tuple[str, str, int, str]] = []
        sizes = self._rows.group_by("batch", "record").len().filter(pl.col("len") >= LEAST_BLOCKS)
        for (batch,), records in sizes.group_by("batch"):
            path = BatchFiles.of(self.folder, str(batch)).encoding
            about = read_table(path, schemas.ENCODING, ["record", "url"])
            about = about.filter(pl.col("record").is_in(records["record"].implode()))
            hashed = [
                (hashlib.md5((url or "").encode(), usedforsecurity=False).hexdigest(), str(batch), record, url or "")
                for record, url in about.iter_rows()
            ]
            chosen = sorted([*chosen, *hashed])[:SHOWN_PAGES]
        starts = self._starts(chosen)
        return tuple(self._page(batch, record, url, starts[batch, record]) for _, batch, record, url in chosen)

    def _starts(self, chosen: list[tuple[str, str, int, str]]) -> dict[tuple[str, int], int]:
        """Returns the first row of each chosen page."""
        rows = self._rows.select("batch", "record").with_row_index()
        wanted = pl.DataFrame(
            [(batch, record) for _, batch, record, _ in chosen],
            {"batch": pl.String, "record": pl.UInt32},
            orient="row",
        )
        starts = (
            rows.join(wanted, on=["batch", "record"], how="semi").group_by("batch", "record").agg(pl.col("index").min())
        )
        return {(batch, record): row for batch, record, row in starts.iter_rows()}

    def _page(self, batch: str, record: int, url: str, start: int) -> ShownPage:
        files = BatchFiles.of(self.folder, batch)
        wanted = pl.Series([record], dtype=pl.UInt32)
        rows = rows_of(files.boilerplate, wanted, ["heading", "text"])
        title = rows_of(files.pages, wanted, ["title"])["title"][0]
        shown = tuple(
            ShownBlock(start + place, bool(heading), printable(text, SHOWN_CHARACTERS))
            for place, (heading, text) in enumerate(rows.head(SHOWN_BLOCKS).iter_rows())
        )
        return ShownPage(
            batch, record, printable(url, 300), printable(title or "", 300), shown, rows.height - len(shown)
        )


def learned_algorithms() -> list[str]:
    """Returns the names of the learned algorithms whose scores alone decide."""
    return [name for name in registry.names() if issubclass(_class(name), ScoredAlgorithm)]


def _class(name: str) -> type:
    made = registry.registration(name).make
    return made if isinstance(made, type) else object


def config_of(choice: Choice, name: str = "") -> str:
    """Returns the section of a config that gives these thresholds, as YAML.

    Args:
        choice: the thresholds.
        name: the learned algorithm, if the stored scores do not say which.
    """
    parts = []
    if choice.name == "justext":
        presets = registry.registration("justext").presets
        values = dict(choice.values)
        same = next(
            (key for key, preset in presets.items() if all(getattr(preset, name) == values[name] for name in values)),
            "",
        )
        if same:
            return f"boilerplate: {{algorithm: justext, preset: {same}}}"
        first = next(iter(presets.values()))
        parts = ["algorithm: justext"]
        parts += [f"{key}: {value:g}" for key, value in values.items() if getattr(first, key) != value]
    else:
        parts = [f"algorithm: {choice.name or name or 'NAME'}", f"threshold: {choice.values['threshold']:g}"]
        kept = [
            f"{key.removeprefix('keep_')}: {'true' if value else 'false'}"
            for key, value in choice.values.items()
            if key.startswith("keep_")
        ]
        parts += [f"keep: {{{', '.join(kept)}}}"] if kept else []
    return f"boilerplate: {{{', '.join(parts)}}}"


def recut_of(choice: Choice, corpus: Path, name: str = "") -> str:
    """Returns the command that makes a corpus with these thresholds from a built one.

    Args:
        choice: the thresholds.
        corpus: the folder of the built corpus.
        name: the learned algorithm, if the stored scores do not say which.
    """
    parts = [["corpusprep", "recut", str(corpus)]]
    if not choice.name:
        parts.append(["--algorithm", name or "NAME"])
    for key, value in choice.values.items():
        option = key.replace("_", "-")
        if isinstance(value, bool):
            parts.append([f"--{option}" if value else f"--{option.replace('keep-', 'drop-')}"])
        else:
            parts.append([f"--{option}", f"{value:g}"])
    return command_lines([*parts, ["--output", f"{corpus}-recut"]])


def answer(sample: PageSample, choice: Choice, corpus: Path, name: str = "") -> dict[str, Any]:
    """Returns what the script of the page asks for: plain values for JSON."""
    counted = sample.count(choice)
    return {
        "summary": counted.summary,
        "kept": thousands(counted.kept),
        "percent": f"{100 * counted.kept / counted.total:.1f}" if counted.total else "0.0",
        "reasons": list(counted.reasons),
        "changed": [int(place) for place in counted.changed],
        "config": config_of(choice, name),
        "recut": recut_of(choice, corpus, name),
    }
