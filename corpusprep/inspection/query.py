r"""Reads queries: words, and the language of CQP and Sketch Engine (Christ 1994; Jakubíček et al. 2010).

| query | finds |
|---|---|
| `tea` | the word, in small letters or capitals |
| `strong tea` | the words one after the other, in one block |
| `don't`, `日本` | one token, or those that a corpus divides it into |
| `"[Tt]eas?"`, `"teas?"%c` | tokens that the regular expression matches as a whole; as written, in any case |
| `[lemma="go" & tag!="N.*"]` | tokens whose columns match, and do not match; also with `|`, `!` and brackets |
| `[lc="tea"]`, `[word=="c++"]` | the word in lower case; the value itself, no expression |
| `[]`, `strong []{0,2} tea` | any token, up to two tokens between; also `?`, `*`, `+` |
| `("very" | "most")+ [tag="JJ"]` | a choice, a group |
| `<s> "The"`, `"." </p>` | where a structure begins, ends |
| `"go" []* "home" within <s/>` | sequences inside one sentence |
| `tea within <doc host="a\..*" & date>="2020"/>` | in structures with these attributes |
| `<s/> containing "tea"`, `tea !within ("a" [] "b")` | what holds, or is not in, another sequence |
| `(meet "tea" "strong" -3 3)` | tokens with another one near: up to three to the left, or right |
| `(union "tea" "coffee")` | the tokens of either |

Expressions are as in Rust's `regex` (conditions.py): time is linear in the length of a token, for any expression.
They have classes of Unicode (`\w`, `\p{Lu}`), but no look-around and no back-references. From each token, the shortest
sequence of up to 255 tokens counts. Quantifiers stand behind brackets and quotation marks; in a plain word they are
characters.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from corpusprep._native.unicode import nfc
from corpusprep.inspection import automaton
from corpusprep.inspection.automaton import Bound, Choice, Node, Parts, Repeated, Token
from corpusprep.inspection.condition_reader import ConditionReader, attribute_number
from corpusprep.inspection.condition_reader import PatternError as PatternError
from corpusprep.inspection.conditions import All, Test
from corpusprep.inspection.parsed_query import Clause, Element, Meeting, Query, Structure
from corpusprep.inspection.plain_words import divisions, expression
from corpusprep.text.tokenizer import APOSTROPHES

#: The most tests of one pattern: the kernel has one bit per test.
MOST_ELEMENTS = 32
#: The most tokens that a hit may have.
MOST_TOKENS = 255
#: The largest number of a range of repetitions.
MOST_REPEATED = 100
#: The most tokens between two tokens that meet.
MOST_BETWEEN = 100
#: The name of the word in lower case, where no column has it.
LOWER = "lc"

_REPEATED = re.compile(r"\{(\d*)(,?)(\d*)\}")
_WORD = re.compile(r'[^\s"\[\]{}]+')
_GROUPED_WORD = re.compile(r'[^\s"\[\]{}()|]+')
_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)")
_CLAUSE = re.compile(r"(!?)\s*(within|containing)(?=\s*[<(])")
#: Behind a plain word, `within "x"` is a word and an expression.
_CLAUSE_BEHIND_SIGN = re.compile(r"(!?)\s*(within|containing)(?=\s*[<(\[\"])")
_MEETING = re.compile(r"\(\s*(meet|union)(?=[\s(\[\"])")
_NUMBER = re.compile(r"[+-]?\d+")
_SIGNS = {"?": (0, 1), "*": (0, None), "+": (1, None)}


def parse(text: str, columns: Sequence[str] = ("word",)) -> Query:
    """Reads a query.

    Args:
        text: the query; it is composed as the texts of corpora are (normalisation form C).
        columns: names of the columns of the vertical, the word first.

    Raises:
        PatternError: it is wrong; says where.
    """
    reader = _Reader(nfc(text), columns=tuple(columns))
    query = reader.query(closed=False)
    return replace(query, text=reader.text)


def parse_condition(text: str) -> Structure:
    """Reads a condition on the attributes of documents, such as `host="a.*" & date>="2020"`.

    Raises:
        PatternError: it is wrong; says where.
    """
    reader = ConditionReader(nfc(text))
    names: list[str] = []
    condition = reader.condition(attribute_number(names), "the name of an attribute", compared=True)
    reader.space()
    if reader.place < len(reader.text):
        raise reader.wrong("& or | must stand here")
    return Structure("doc", tuple(names), condition)


def literal(word: str) -> str:
    """Returns the query that finds a word, in small letters or capitals, whatever its characters mean in queries."""
    if _GROUPED_WORD.fullmatch(word) and not _TAG.match(word):
        return word
    escaped = re.escape(word).replace('"', '\\"')
    return f'"(?i){escaped}"'


@dataclass(slots=True)
class _Reader(ConditionReader):
    """Reads a query from left to right."""

    columns: tuple[str, ...] = ()
    elements: list[Element] = field(default_factory=list)
    depth: int = 0
    behind_word: bool = False
    single_tokens: bool = False

    def query(self, *, closed: bool) -> Query:
        """Reads a query up to the end; or, if it is `closed`, up to the bracket."""
        start, outer, self.elements = self.place, self.elements, []
        self.depth += closed
        self.space()
        whole_structure = self.structure_alone()
        if whole_structure is not None:
            self.elements.append(Element())
            pattern: Node | Meeting = _from_begin_to_end(whole_structure)
        elif _MEETING.match(self.text, self.place):
            pattern = self.meeting()
        else:
            pattern = self.checked(self.choice(), start, closed=closed)
        clauses = [Clause(whole_structure)] if whole_structure else []
        while clause := self.clause():
            clauses.append(clause)
        if not closed and self.next():
            raise self.wrong(f"{self.text[self.place]!r} has no meaning here")
        self.depth -= closed
        made = Query(self.text[start : self.place], pattern, tuple(self.elements), tuple(clauses))
        self.elements = outer
        return made

    def checked(self, pattern: Node, start: int, *, closed: bool) -> Node:
        """Checks the size of a pattern, and that it looks for something."""
        begin = start if closed else 0
        if pattern == Parts(()):
            raise self.wrong("it is empty", begin)
        if len(self.elements) > MOST_ELEMENTS:
            raise self.wrong(f"it has more than {MOST_ELEMENTS} tokens that differ", begin)
        if automaton.places(pattern) > automaton.MOST_PLACES:
            raise self.wrong(f"it has more than {automaton.MOST_PLACES} tokens, with all repetitions", begin)
        if len(automaton.structures_of(pattern)) > automaton.MOST_STRUCTURES // 2:
            raise self.wrong(f"it has the bounds of more than {automaton.MOST_STRUCTURES // 2} structures", begin)
        parts = pattern.parts if isinstance(pattern, Parts) else (pattern,)
        ends = ((parts[0], begin), (parts[-1], max(begin, self.place - 1)))
        for part, place in ends:
            if isinstance(part, Repeated) and not part.least:
                raise self.wrong("it must begin and end with a token, not with a gap", place)
        if automaton.can_be_empty(pattern):
            raise self.wrong("it must have a token in any case", begin)
        if not closed and not any(element.tests for element in self.elements):
            raise self.wrong("no token of it says what it looks for", begin)
        return pattern

    def choice(self) -> Node:
        """Reads sequences with `|` between."""
        parts = [self.sequence()]
        while self.next() == "|":
            self.place += 1
            if parts[-1] == Parts(()):
                raise self.wrong("a token must stand here", self.place - 1)
            parts.append(self.sequence())
            if parts[-1] == Parts(()):
                raise self.wrong("a token must stand here")
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self.next() not in ("", "|") and not (self.depth and self.next() == ")"):
            if parts and self.clause_here():
                break
            parts.append(self.item())
        return parts[0] if len(parts) == 1 else Parts(tuple(parts))

    def item(self) -> Node:
        """Reads a token or group, with what says how often."""
        start = self.place
        part: Node
        self.behind_word = False
        match self.text[start]:
            case "[":
                part = self.token(self.bracket())
            case '"':
                part = self.token(Element((self.quoted(0),)))
            case "(":
                part = self.group()
            case "<" if tag := _TAG.match(self.text, start):
                return self.bound(tag)
            case _:
                part, self.behind_word = self.word(), True
                if self.text[self.place : self.place + 1] != "{":
                    return part
        return self.repeated(part)

    def group(self) -> Node:
        start = self.place
        self.place += 1
        self.depth += 1
        part = self.choice()
        self.depth -= 1
        if not self.take(")"):
            raise self.wrong("no ) closes this", start)
        if part == Parts(()):
            raise self.wrong("a token must stand here", start + 1)
        return part

    def repeated(self, part: Node) -> Node:
        sign = self.text[self.place : self.place + 1]
        if sign in _SIGNS:
            self.place += 1
            return Repeated(part, *_SIGNS[sign])
        match = _REPEATED.match(self.text, self.place)
        if not match or not (match[1] or match[3]):
            return part
        least = int(match[1] or 0)
        most = int(match[3]) if match[3] else None if match[2] else least
        if max(least, most or 0) > MOST_REPEATED or (most is not None and (least > most or not most)):
            raise self.wrong(f"{match[0]} is no range of 1 to {MOST_REPEATED} tokens")
        self.place = match.end()
        return part if least == most == 1 else Repeated(part, least, most)

    def token(self, element: Element) -> Token:
        """Returns the token of an element, which has the number of an equal one."""
        if element not in self.elements:
            self.elements.append(element)
        return Token(self.elements.index(element))

    def word(self) -> Node:
        """Reads a plain word; it may be several tokens of the corpus."""
        match = (_GROUPED_WORD if self.depth else _WORD).match(self.text, self.place)
        if not match:
            raise self.wrong(f"{self.text[self.place]!r} has no meaning here")
        self.place = match.end()
        whole = self.plain(match[0])
        ways = [] if self.single_tokens or match.end() - match.start() > MOST_TOKENS else divisions(match[0])
        return Choice((whole, *(Parts(tuple(map(self.plain, way))) for way in ways))) if ways else whole

    def plain(self, word: str) -> Token:
        """Returns the token that is a word, in small letters or capitals, with any apostrophe."""
        # What a token can begin and end with is known from the word, but for the variants of an apostrophe.
        known = "" if {word[0], word[-1]} & set(APOSTROPHES) else word
        return self.token(Element((Test(0, expression(word)),), known))

    def bound(self, tag: re.Match[str]) -> Bound:
        self.place = tag.end()
        if not self.take(">"):
            raise self.wrong("> must stand here; attributes stand in within <… />")
        return Bound(tag[2], begins=not tag[1])

    def structure_alone(self) -> Structure | None:
        """Reads `<s/>`, if it stands here."""
        start = self.place
        if (tag := _TAG.match(self.text, start)) and not tag[1]:
            self.place = tag.end()
            if self.next() not in ("", ">"):
                self.place = start
                return self.structure()
        self.place = start
        return None

    def structure(self) -> Structure:
        """Reads `<doc host="…"/>`."""
        tag = _TAG.match(self.text, self.place)
        if not tag or tag[1]:
            raise self.wrong("a structure must stand here, such as <s/>")
        start, self.place = self.place, tag.end()
        names: list[str] = []
        condition = None
        if self.next() not in ("", "/", ">"):
            condition = self.condition(attribute_number(names), "the name of an attribute", compared=True)
        if not self.take("/>") and not self.take(">"):
            self.close("/>", start)
        return Structure(tag[2], tuple(names), condition)

    def clause_here(self) -> re.Match[str] | None:
        """Returns the beginning of a clause, if it stands here."""
        self.space()
        return (_CLAUSE if self.behind_word else _CLAUSE_BEHIND_SIGN).match(self.text, self.place)

    def clause(self) -> Clause | None:
        match = self.clause_here()
        if not match:
            return None
        self.place = match.end()
        other: Structure | Query
        self.behind_word = False
        if self.next() == "(" and not _MEETING.match(self.text, self.place):
            start = self.place
            self.place += 1
            other = self.query(closed=True)
            if not self.take(")"):
                raise self.wrong("no ) closes this", start)
            self.behind_word = False
        elif self.next() == "(":
            other = self.single()
        elif self.next() != "<":
            start, outer, self.elements = self.place, self.elements, []
            pattern = self.checked(self.sequence(), start, closed=True)
            other = Query(self.text[start : self.place].rstrip(), pattern, tuple(self.elements))
            self.elements = outer
        else:
            start, other = self.place, self.structure()
            if match[2] == "containing":
                text = self.text[start : self.place]
                other = Query(text, _from_begin_to_end(other), (Element(),), (Clause(other),))
        return Clause(other, contained=match[2] == "containing", negated=bool(match[1]))

    def meeting(self) -> Meeting:
        """Reads `(meet A B -3 3)` or `(union A B)`."""
        start = self.place
        match = _MEETING.match(self.text, start)
        assert match
        self.place = match.end()
        queries = self.single(), self.single()
        window = None
        if match[1] == "meet":
            window = self.number(), self.number()
            if window[0] > window[1] or max(map(abs, window)) > MOST_BETWEEN:
                raise self.wrong(f"the first number must not be larger, none above {MOST_BETWEEN}", self.place - 1)
        if not self.take(")"):
            raise self.wrong("no ) closes this", start)
        return Meeting(queries, window)

    def number(self) -> int:
        self.space()
        match = _NUMBER.match(self.text, self.place)
        if not match:
            raise self.wrong("a number of tokens must stand here")
        self.place = match.end()
        return int(match[0])

    def single(self) -> Query:
        """Reads what finds single tokens: a token, or a meeting."""
        self.space()
        start, outer, self.elements = self.place, self.elements, []
        self.depth += 1
        self.single_tokens = True
        if _MEETING.match(self.text, start):
            pattern: Node | Meeting = self.meeting()
        else:
            pattern = self.item() if self.next() else Parts(())
            if not isinstance(pattern, Token) or not self.elements[0].tests:
                raise self.wrong("one token that says what it looks for must stand here", start)
        self.depth -= 1
        self.single_tokens = False
        made = Query(self.text[start : self.place], pattern, tuple(self.elements))
        self.elements = outer
        return made

    def column(self, name: str, place: int) -> tuple[int, bool]:
        """Returns the number of a column, and whether its values are compared in lower case."""
        if name in self.columns:
            return self.columns.index(name), False
        if name == LOWER:
            return 0, True
        known = ", ".join((*self.columns, LOWER))
        raise self.wrong(f"no column {name} (there is {known}; name the others with --columns)", place)

    def bracket(self) -> Element:
        """Reads `[attribute="regex" & …]`."""
        start = self.place
        self.place += 1
        if self.take("]"):
            return Element()
        condition = self.condition(self.column, "the name of a column")
        if not self.take("]"):
            self.close("&, | or ]", start)
        return Element(condition.parts if isinstance(condition, All) else (condition,))


def _from_begin_to_end(structure: Structure) -> Node:
    """Returns the pattern of the tokens of a structure; its first element is any token."""
    begin, end = Bound(structure.name, begins=True), Bound(structure.name, begins=False)
    return Parts((begin, Repeated(Token(0), 1, None), end))
