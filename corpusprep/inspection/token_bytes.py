"""Says which bytes a token that passes a pattern's tests can begin and end with.

The search skips all other tokens without looking them up. Plain words decide it, and regular expressions that begin or
end with a letter, such as `"un.*ing"`. Where an expression does not decide it, any byte may.
"""

import re

from corpusprep.inspection.conditions import Test
from corpusprep.inspection.parsed_query import Element, Query

#: One flag per byte: any byte may stand there.
ANY = bytes([1]) * 256

# Groups with flags, names, conditions or comments are not analysed.
_SPECIAL_GROUP = re.compile(r"\(\?(?!:)")
_CLASS = re.compile(r"\[([^\]\[^\\-][^\]\[\\-]*)\]")
_ESCAPED = re.compile(r"\\([^\w\s<>])")  # \< and \> are the bounds of a word
_OPTIONAL = ("*", "?", "{")
#: The longest escape is \U with eight digits. A letter within so many characters behind a backslash may be part of one.
_ESCAPE = 10


def first_and_last(query: Query) -> tuple[bytes, bytes]:
    """Returns one flag per byte, twice: whether the word of a token that passes any test may begin, and end, with it.

    The word is as it stands in the vertical, with `&amp;` for `&`.
    """
    first, last = bytearray(256), bytearray(256)
    for element in query.elements:
        if element.tests:
            starts, ends = _of_element(element)
            _allow(first, starts)
            _allow(last, ends)
    # Any character may stand as an entity.
    first[ord("&")] = last[ord(";")] = 1
    return bytes(first), bytes(last)


def _allow(flags: bytearray, characters: str | None) -> None:
    """Allows the first and last bytes of characters; None: all bytes.

    Beyond ASCII all bytes are allowed: bytes that are not UTF-8 are read as replacement characters.
    """
    if characters is None:
        flags[:] = ANY
        return
    flags[128:] = ANY[128:]
    for character in characters:
        if character.isascii():
            flags[ord(character)] = 1


def _of_element(element: Element) -> tuple[str | None, str | None]:
    """Returns the characters that a word which passes an element can begin and end with; None: any."""
    if element.word:
        return _variants(element.word[0]), _variants(element.word[-1])
    starts: str | None = None
    ends: str | None = None
    for test in element.tests:
        # All tests of an element must pass, so one that decides is enough.
        if isinstance(test, Test) and not test.column and not test.negated:
            one_starts, one_ends = of_expression(test.expression)
            if test.lowered:
                one_starts, one_ends = _all_variants(one_starts), _all_variants(one_ends)
            starts, ends = one_starts if starts is None else starts, one_ends if ends is None else ends
    return starts, ends


def _all_variants(characters: str | None) -> str | None:
    return characters and "".join(map(_variants, characters))


def _variants(character: str) -> str:
    """Returns all characters that match one when case is ignored, and perhaps some more."""
    characters = {character}
    for _ in range(2):
        characters |= {variant for each in characters for variant in each.lower() + each.upper()}
    return "".join(sorted(characters))


def of_expression(written: str) -> tuple[str | None, str | None]:
    """Returns the characters that what a regular expression matches as a whole can begin and end with; None: any.

    >>> of_expression("[Tt]eas?"), of_expression("(un)?do.*ing|go")
    (('Tt', None), (None, 'go'))
    """
    if _SPECIAL_GROUP.search(written):
        return None, None
    starts: str | None = ""
    ends: str | None = ""
    branches = _branches(written)
    if branches is None:
        return None, None
    for branch in branches:
        first, last = _first(branch), _last(branch)
        starts = None if starts is None or first is None else starts + first
        ends = None if ends is None or last is None else ends + last
    return starts, ends


def _branches(written: str) -> list[str] | None:
    """Returns the alternatives of an expression that are in no group; None: it has a class within a class."""
    branches, depth, start, place = [], 0, 0, 0
    while place < len(written):
        character = written[place]
        if character == "\\":
            place += 1
        elif character == "[":
            place += 2 if written.startswith("[^", place) else 1
            # The first character of a class is one of it, even a closing bracket.
            place += written.startswith("]", place)
            while place < len(written) and written[place] != "]":
                if written[place] == "[":
                    return None
                place += 2 if written[place] == "\\" else 1
        elif character in "()":
            depth += 1 if character == "(" else -1
        elif character == "|" and not depth:
            branches.append(written[start:place])
            start = place + 1
        place += 1
    return [*branches, written[start:]]


def _first(branch: str) -> str | None:
    if match := _CLASS.match(branch) or _ESCAPED.match(branch):
        characters, end = match[1], match.end()
    elif branch and _is_letter(branch[0]):
        characters, end = branch[0], 1
    else:
        return None
    return None if branch.startswith(_OPTIONAL, end) else characters


def _last(branch: str) -> str | None:
    if branch and _is_letter(branch[-1]) and "\\" not in branch[-_ESCAPE:]:
        return branch[-1]
    return None


def _is_letter(character: str) -> bool:
    """Whether a character stands for itself in any expression."""
    return character.isalnum() or character in "_'-,;:!%=@~`/"
