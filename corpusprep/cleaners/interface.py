"""The interface of boilerplate algorithms: what they are given, what they give back, and how they are registered.

Two ways in. An algorithm of a package is an Algorithm, which classifies the blocks of many pages at once, and
is registered (Registration). A user's own cleaner is a class with one method (Cleaner), which classifies one page
after the other.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from corpusprep.pages.segmentation import Blocks, BlockScorer, PageSegmenter, Segmenter
from corpusprep.tables.verdicts import BLOCK_REASONS, KEPT

if TYPE_CHECKING:
    import polars as pl

    from corpusprep._native.pages import BlockModel

#: Context-free classes, by their codes in arrays.
LABELS = ("bad", "short", "near-good", "good")
#: Verdicts on blocks, by their codes in arrays.
VERDICTS = (KEPT, *BLOCK_REASONS)
#: In place of a reference page's number: there is none.
ALONE = -1


@dataclass(slots=True, frozen=True)
class Classes:
    """What an algorithm says of n blocks."""

    context_free: NDArray[np.uint8]  # n indices into LABELS
    good: NDArray[np.bool_]  # n: whether the block is main content
    verdicts: NDArray[np.uint8]  # n indices into VERDICTS; 0, kept, exactly where the block is good
    scores: NDArray[np.uint16] | None = None  # n: per mille that it is main content; None: as in Features, if any

    def scores_of(self, blocks: Blocks) -> NDArray[np.uint16] | None:
        """Returns the scores of the blocks, or None if no learned algorithm scored them."""
        if self.scores is None and blocks.features is not None:
            return blocks.features.scores
        return self.scores

    def first(self, count: int) -> "Classes":
        """Returns the classes of the first `count` blocks."""
        scores = None if self.scores is None else self.scores[:count]
        return Classes(self.context_free[:count], self.good[:count], self.verdicts[:count], scores)


@dataclass(slots=True, frozen=True)
class ScoreThresholds:
    """Thresholds of an algorithm that keeps the blocks from a score on.

    Attributes:
        used: the one in use, per mille.
        named: those that its model declares, by name.
    """

    used: int
    named: Mapping[str, int]


class SidePages(Protocol):
    """Further pages that the pages of a batch are compared with."""

    def of(self, records: Sequence[int]) -> tuple[list[tuple[bytes, str]], NDArray[np.int64]]:
        """Returns (body and encoding of each further page, number of the page that each record is compared with).

        Further pages are numbered after the records. ALONE: there is no page to compare a record with.
        """


@dataclass(slots=True, frozen=True)
class SideTable:
    """Where an algorithm has further pages from: a table per batch, which steps before `boilerplate` write.

    Attributes:
        name: of the table (pipeline.FILES).
        open: reads it, for the batch with a table of `encoding`, from the tables of all batches.
    """

    name: str
    open: Callable[["pl.DataFrame", Sequence[Path]], SidePages]


class Algorithm(ABC):
    """Classifies the blocks of pages. The classes of a page depend on that page and its reference page alone.

    Attributes:
        needs_structure: whether it reads Blocks.structure (Segmenter's argument `structure`).
        side_table: the further pages that it compares pages with, such as reference pages of their hosts; None: it
            compares none, and the classes of a page depend on that page alone.
        needs_language: whether its classes depend on the language; if not, pages need none to be extracted.
        stored_columns: the columns of the table of blocks (schemas.BOILERPLATE) that classify_stored needs; empty for
            an algorithm whose corpora cannot be recut.
        shipped_models: names of models of the package that the parameter `model` takes in place of a file.
    """

    needs_structure: ClassVar[bool] = False
    side_table: ClassVar[SideTable | None] = None
    needs_language: ClassVar[bool] = True
    stored_columns: ClassVar[tuple[str, ...]] = ()
    shipped_models: ClassVar[tuple[str, ...]] = ()

    @property
    def block_model(self) -> "BlockModel | BlockScorer | None":
        """The learned model that scores the blocks (Segmenter's argument `model`); None: it needs no scores."""
        return None

    def segmenter(
        self,
        stop_words: Collection[str],
        characters_per_word: float = 0.0,
        *,
        features: bool = False,
        outline: bool = False,
    ) -> PageSegmenter:
        """Returns what cuts pages in one language into the blocks that the algorithm classifies.

        An algorithm that overrides it has other blocks than all others: the language of a page must be known before.
        Arguments as in Segmenter.
        """
        return Segmenter(
            stop_words,
            characters_per_word,
            structure=self.needs_structure,
            features=features,
            model=self.block_model,
            outline=outline,
        )

    @property
    def cuts_alone(self) -> bool:
        """Whether it cuts pages by a segmenter of its own."""
        return type(self).segmenter is not Algorithm.segmenter

    def check_language(self, code: str) -> None:  # noqa: B027 - most algorithms have no model of a language
        """Checks that the algorithm may be used for a language: a learned model may be of another one.

        Raises:
            ModelError: its model is of another language.
        """

    @abstractmethod
    def classify(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> Classes:
        """Classifies all blocks.

        Args:
            blocks: of one or more pages; blocks.pages says where pages begin.
            references: given only if there is a side_table. Shape (pages,): the number of the page that each page is
                compared with, or ALONE. None: all pages are of one site, and the algorithm chooses.
        """

    def classify_pieces(self, blocks: Blocks, references: NDArray[np.int64] | None = None) -> NDArray[np.bool_] | None:
        """Returns whether each piece of blocks.structure is main content, shape (pieces,).

        None: the algorithm decides on whole blocks. Arguments as in `classify`.
        """
        return None

    def classify_stored(self, rows: "pl.DataFrame") -> Classes:
        """Classifies the blocks of pages again from stored_columns of their rows, in the order of the table."""
        raise NotImplementedError(f"{type(self).__name__} has no stored_columns")

    @property
    def stored_thresholds(self) -> Any:
        """The thresholds in use, if stored scores say what other thresholds keep (statistics/thresholds.tsv)."""
        return None


#: The class of an algorithm with good and bad alone, by the verdict.
_LABELS_OF_VERDICTS = np.array(
    [LABELS.index("bad" if verdict else "good") for verdict in range(len(VERDICTS))], np.uint8
)


def without_context(verdicts: NDArray[np.uint8], scores: NDArray[np.uint16] | None = None) -> Classes:
    """Returns the classes of an algorithm with good and bad alone, from its n verdicts (indices into VERDICTS)."""
    return Classes(_LABELS_OF_VERDICTS.take(verdicts), verdicts == 0, verdicts, scores)


@dataclass(slots=True, frozen=True)
class Parameter:
    """A parameter of an algorithm, as its dataclass of parameters declares it (see `parameter`).

    Attributes:
        name: in a config.
        type: bool, int, float, str, or float | str.
        default: its value where a config gives none.
        description: what it does, with its unit.
        minimum: the smallest value allowed; None: any.
        maximum: the largest value allowed; None: any.
        names: names that are allowed in place of a number.
    """

    name: str
    type: type
    default: Any
    description: str
    minimum: float | None
    maximum: float | None
    names: tuple[str, ...] = ()

    def problem(self, value: Any) -> str:
        """Returns what is allowed instead of `value`; empty if the value is allowed."""
        if self.names and isinstance(value, str):
            if value in self.names:
                return ""
            with contextlib.suppress(ValueError):  # a number as the command line gives it
                value = float(value)
        number = float if self.names else self.type
        kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        of_type = isinstance(value, (int, float) if number is float else number)
        bounds = [
            f"{word} {bound:g}"
            for word, bound in (("at least", self.minimum), ("at most", self.maximum))
            if bound is not None
        ]
        if of_type and isinstance(value, bool) == (number is bool):
            low, high = self.minimum, self.maximum
            if (low is None or value >= low) and (high is None or value <= high):
                return ""
        return ", ".join([*self.names, f"{'or ' if self.names else ''}{kinds[number]}", *bounds])


def parameter(
    default: Any,
    description: str,
    minimum: float | None = None,
    maximum: float | None = None,
    names: tuple[str, ...] = (),
) -> Any:
    """Declares a parameter as a field of an algorithm's dataclass of parameters. Arguments are Parameter's."""
    metadata = {"description": description, "minimum": minimum, "maximum": maximum, "names": names}
    return field(default=default, metadata=metadata)


@dataclass(slots=True, frozen=True)
class Registration:
    """An algorithm; an entry point of the group `corpusprep.cleaners` names it, or a tuple that it is in.

    Attributes:
        name: in a config; also the name of the entry point.
        make: the class; called with its parameters, a dataclass, if it has any.
        description: what it keeps, in one sentence.
        source: its publication, with the section.
        parameters: the dataclass instance with its defaults; None: it has no parameters.
        presets: named settings of all parameters.
        evaluated: the systems that `evaluation` measures: title in tables -> preset (empty: the defaults).
    """

    name: str
    make: Callable[..., Algorithm]
    description: str
    source: str
    parameters: Any = None
    presets: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    evaluated: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def described_parameters(self) -> list[Parameter]:
        """Returns its parameters in order."""
        if self.parameters is None:
            return []
        return [
            Parameter(
                field_.name,
                field_.type,  # type: ignore[arg-type]
                getattr(self.parameters, field_.name),
                field_.metadata["description"],
                field_.metadata["minimum"],
                field_.metadata["maximum"],
                field_.metadata["names"],
            )
            for field_ in fields(self.parameters)
        ]


@dataclass(slots=True, frozen=True)
class PageBlock:
    """A textual block of a page, as it is measured before it is classified.

    Attributes:
        text: its text, white space folded to single spaces.
        tag: the innermost block-level element around its start: `p`, `li`, `td`, …
        heading: whether it is in h1 … h6.
        words: white-space separated words.
        link_density: share of the words inside links, 0 to 1.
        stopword_density: share of stop words of the corpus language among its alphabetic words, 0 to 1.
        copyright: whether it contains ©.
        in_select: whether it is among the choices of a form.
    """

    text: str
    tag: str
    heading: bool
    words: int
    link_density: float
    stopword_density: float
    copyright: bool
    in_select: bool


@dataclass(slots=True, frozen=True)
class Page:
    """A page, as a cleaner gets it.

    Attributes:
        blocks: its textual blocks in the order of the page; at least one.
    """

    blocks: Sequence[PageBlock]


class Cleaner(Protocol):
    """A user's own boilerplate algorithm.

    The class is made once per job, with `boilerplate.parameters` of the config as keyword arguments. The classes of
    a page must depend on that page alone: which pages a job gets, and in which order, depends on the batches.
    """

    def classify(self, page: Page) -> Sequence[bool] | Sequence[str]:
        """Returns one value per block of the page, in their order.

        Either booleans, True for main content; or context-free classes (good, near-good, short, bad), and the
        context-sensitive classification of jusText (Pomikálek 2011, algorithm 2.3) then decides.
        """
        ...
