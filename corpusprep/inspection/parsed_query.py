"""What queries consist of once they are read: elements, structures, clauses, meetings."""

from dataclasses import dataclass

from corpusprep.inspection.automaton import Node
from corpusprep.inspection.conditions import Condition, tests_of


@dataclass(frozen=True, slots=True)
class Element:
    """What one token of a pattern must be.

    Attributes:
        tests: all must pass; none: any token.
        word: the word as written, if the element is a plain word; empty otherwise.
    """

    tests: tuple[Condition, ...] = ()
    word: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure of a vertical, with a condition on its attributes.

    Attributes:
        name: such as `s` or `doc`.
        attributes: the names of the attributes that the condition tests, in the order of their numbers.
        condition: None: any such structure.
    """

    name: str
    attributes: tuple[str, ...] = ()
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """What hits must, or must not, be in, or hold.

    Attributes:
        other: a structure, or another query; of `containing <s/>`, the query for its tokens.
        contained: whether the hit holds the other, not the other the hit.
        negated: whether it must not.
    """

    other: "Structure | Query"
    contained: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """Tokens that one query finds, with a token of another between `start` and `stop` tokens away; or of either.

    Attributes:
        queries: both find single tokens.
        window: (-3, 3): from three tokens to the left to three to the right, the token itself not; None: of either.
    """

    queries: "tuple[Query, Query]"
    window: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Query:
    """A query.

    Attributes:
        text: as written.
        pattern: of tokens, whose tests are numbers of elements; or a meeting.
        elements: the different tokens of the pattern.
        clauses: what its hits must, or must not, be in, or hold.
    """

    text: str
    pattern: Node | Meeting
    elements: tuple[Element, ...]
    clauses: tuple[Clause, ...] = ()


def columns_of(query: Query) -> int:
    """Returns the number of columns that the tests of a pattern look at, at least one."""
    return 1 + max(
        (test.column for element in query.elements for part in element.tests for test in tests_of(part)), default=0
    )
