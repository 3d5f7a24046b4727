"""Hashes of names and words of blocks in plain Python: the oracle of native/pages/block_names.hpp."""

import itertools
import re
import unicodedata
from collections.abc import Sequence
from typing import Protocol

from lxml import etree
from support.plain_hashes import word_key

from corpusprep.pages.features import Tables

_MASK = 0xFFFFFFFF
_SALTS = {"class": 0, "id": 0, "role": 0x5BD1E995, "itemprop": 0x5BD1E995, "itemtype": 0x2BD1E995}
_TAG_SALT = 0x1B873593


class Element(Protocol):
    """An element of a chain."""

    element: etree._Element
    contains: bool
    tag: str


def script_without_spaces(c: str) -> int:
    """Twentieths of a word that a letter of Chinese, Japanese or South-East Asia counts; 0 for other scripts."""
    name = unicodedata.name(c, "")
    if name.startswith(("THAI", "LAO", "MYANMAR", "KHMER")):
        return 5
    return 12 if name.startswith(("CJK UNIFIED", "HIRAGANA", "KATAKANA LETTER", "KATAKANA-HIRAGANA")) else 0


def small(c: str) -> str:
    """The small letter of a capital of the Latin, Greek and Cyrillic letters in use; that of İ is ı."""
    if c == "İ":
        return "ı"
    known = "A" <= c <= "Z" or "À" <= c <= "Ž" or "Α" <= c <= "Ω" or "Ѐ" <= c <= "Я"
    return c.lower() if known and len(c.lower()) == 1 and c != "Ÿ" else c


def fnv(codes: Sequence[int], salt: int = 0) -> int:
    """FNV-1a over whole numbers."""
    found = 2166136261 ^ salt
    for code in codes:
        found = (found ^ code) * 16777619 & _MASK
    return found


def split_names(value: str) -> list[bytes]:
    """The names in an attribute's value, in lower case."""
    data = value.encode()
    found = []
    for run in re.findall(rb"[A-Za-z\x80-\xff]+", data):
        start = 0
        for place in range(1, len(run) + 1):
            hump = place < len(run) and run[place : place + 1].isupper() and run[place - 1 : place].islower()
            if place == len(run) or (hump and place - start > 1):
                found.append(run[start:place].lower())
                start = place
    return [name for name in found if 2 <= len(name) <= 24]


def names_of(element: etree._Element, attributes: Sequence[str]) -> list[str]:
    """The names in these attributes."""
    return [
        name.decode("utf-8", "replace")
        for key, value in element.attrib.items()
        if key in attributes
        for name in split_names(str(value))
    ]


def tag_hash(name: str) -> int:
    """The low half of the 64-bit key of a word (native/common/hash.hpp)."""
    return word_key(name.encode()) & _MASK


def element_names(element: etree._Element, tag_hash: int) -> list[int]:
    """The hashes of an element's names: at most 24, and its tag."""
    found = []
    for key, value in element.attrib.items():
        if key in _SALTS:
            text = str(value).rpartition("/")[2] if key == "itemtype" else str(value)
            found += [fnv(name, _SALTS[str(key)]) for name in split_names(text)]
    return [*found[:24], tag_hash ^ _TAG_SALT]


def words_of(text: str) -> list[int]:
    """The hashes of the words of a text."""
    words: list[str] = [""]
    for c in text:
        category = unicodedata.category(c)[0]
        if category not in "LMN":
            words.append("")
        elif category != "N" and script_without_spaces(c):
            words += [c, ""]
        else:
            words[-1] += small(c)
    number = {word: all(unicodedata.category(c)[0] == "N" for c in word) for word in words}
    return [4 if number[word] else word_hash(word) for word in words if word]


def word_hash(word: str) -> int:
    """The hash of a word that is no number, in lower case."""
    if not word.isascii() or len(word) > 63:
        return fnv([ord(c) for c in word])
    found = 0
    for start in range(0, len(word), 8):
        found = (found ^ int.from_bytes(word[start : start + 8].encode(), "little")) * 0x9E3779B97F4A7C15 & 2**64 - 1
        found ^= found >> 32
    return found & _MASK


def pair(first: int, second: int) -> int:
    """The hash of two hashes."""
    return ((first * 0x9E3779B1 & _MASK) ^ second) * 0x85EBCA6B & _MASK


def block_words(text: str) -> list[int]:
    """What a table may know of a block: words, pairs, first and last word, and the whole of up to four."""
    words = words_of(text)
    if not words:
        return []
    pairs = [pair(*two) for two in itertools.pairwise(words)]
    found = [*words, *pairs, pair(1, words[0]), pair(words[-1], 2)]
    if len(words) <= 4:
        whole = 3
        for word in words:
            whole = pair(whole, word)
        found.append(whole)
    return found


def table_sums(chain: Sequence[Element], words: Sequence[int], tables: Tables) -> dict[str, int]:
    """The features that need tables, for a block in these elements, from the inside."""
    near_weights = dict(zip(tables.names.tolist(), tables.name_weights[:, 0].tolist(), strict=True))
    far_weights = dict(zip(tables.names.tolist(), tables.name_weights[:, 1].tolist(), strict=True))
    word_weights = dict(zip(tables.words.tolist(), tables.word_weights[:, 0].tolist(), strict=True))
    levels, beyond, level = [0, 0, 0], 0, 0
    far = []
    for element in chain:
        names = element_names(element.element, tag_hash(element.tag))
        far.append(sum(far_weights.get(name, 0) for name in names))
        if level < 3:
            levels[level] += sum(near_weights.get(name, 0) for name in names)
        else:
            beyond += far[-1]
        level += element.contains
    total = sum(word_weights.get(word, 0) for word in words)
    mean = int(4 * total / len(words)) if words else 0
    values = {
        "name_chain": sum(levels) + beyond,
        "name_near": sum(levels),
        "name_far": beyond,
        "name_first": levels[0],
        "name_second": levels[1],
        "name_third": levels[2],
        "name_lowest": min(0, *far) if far else 0,
        "name_highest": max(0, *far) if far else 0,
        "word_sum": total,
        "word_mean": mean,
    }
    return {name: max(-128, min(127, value)) + 128 for name, value in values.items()}
