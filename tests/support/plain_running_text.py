"""Counts what tells running text from code, tables and lists, one character after the other (running_text.hpp)."""

import re
from itertools import groupby

from corpusprep._native.unicode import LETTER, MARK, SPACE, lower, unicode_class

#: Signs of code; brackets count only as they stand in calls and indices.
_CODE = re.compile(r"[{}<>=;_#$|\\@~`^]|\w[(\[]|[(\[][)\]]|[\])][;:,.)]", re.ASCII)
_SEPARATORS = re.compile(r"[,;|\n\t•·/]")


def running_text(text: str) -> tuple[int, int, int, int, int, int, int]:
    """Returns characters but white space, letters, marks, signs of code, words, capitalised words, pieces."""
    classes = [unicode_class(ord(character)) for character in text]
    solid = "".join(character for character, kind in zip(text, classes, strict=True) if kind != SPACE)
    runs = groupby(zip(text, classes, strict=True), key=lambda pair: pair[1] == LETTER)
    firsts = [next(run)[0] for letters, run in runs if letters]
    lowered = [(first, lower(first)) for first in firsts]
    return (
        len(solid),
        classes.count(LETTER),
        classes.count(MARK),
        len(_CODE.findall(solid)),
        len(firsts),
        sum(small != first and len(small) == 1 for first, small in lowered),
        sum(any(unicode_class(ord(character)) == LETTER for character in piece) for piece in _SEPARATORS.split(text)),
    )
