"""Recognises text in the double-byte encodings of East Asia by its frequent characters, without a model of a language.

These encodings order their characters by use: the first bytes of frequent characters are a small part of all that are
possible. Text in other encodings, read as pairs of bytes, has invalid pairs or other first bytes: letters of Cyrillic
or Greek words stand in runs of any length, pairs only in even ones.
"""

import re
from collections import Counter

from corpusprep.encoding.text_bytes import text_bytes

#: Fewest pairs of bytes that say anything: a word of Cyrillic or two may look like Chinese.
_LEAST_PAIRS = 8
#: Most bytes outside pairs (beside one at a cut end), and least first bytes of frequent characters, per pair.
_MOST_STRAY, _LEAST_FREQUENT = 0.02, 0.9
#: Least share of kana in Japanese, which no other language has.
_LEAST_KANA = 0.2
_RUN = re.compile(rb"[\x80-\xff]+")


class _Pairs:
    """The characters of a text as an encoding divides it: the first bytes of pairs, and the number of stray bytes."""

    def __init__(self, data: bytes, pair: re.Pattern[bytes]) -> None:
        found = [b"".join(character) for character in pair.findall(data)]
        self.firsts = Counter(character[0] for character in found if len(character) == 2)
        self.count = sum(self.firsts.values())
        self.stray = len(found) - self.count

    def share(self, *ranges: tuple[int, int]) -> float:
        """Returns the share of pairs whose first byte is in one of the ranges; 0 if there are too few or bad ones."""
        if self.count < _LEAST_PAIRS or self.stray > 1 + _MOST_STRAY * self.count:
            return 0.0
        return sum(self.firsts[byte] for first, last in ranges for byte in range(first, last + 1)) / self.count


#: Pairs of bytes, or a byte beyond ASCII that belongs to none.
_EUC = re.compile(rb"([\xa1-\xfe][\xa1-\xfe])|([\x80-\xff])")
_GBK = re.compile(rb"([\x81-\xfe][\x40-\x7e\x80-\xfe])|([\x80-\xff])")
_BIG5 = re.compile(rb"([\x81-\xfe][\x40-\x7e\xa1-\xfe])|([\x80-\xff])")
#: Half-width katakana, single bytes, are no pairs and not stray.
_SHIFT_JIS = re.compile(rb"([\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc])|([\x80\xa0\xfd-\xff]|[\x81-\x9f\xe0-\xfc])")


def east_asian(data: bytes) -> str | None:
    """Returns the WHATWG name of the double-byte encoding that a page is evidently in; None if it is in another.

    One of gbk, big5, euc-jp, shift_jis and euc-kr. Looks at the beginning of the text outside tags.
    """
    sample = text_bytes(data)
    euc = _Pairs(sample, _EUC)
    if euc.share((0xA4, 0xA5)) >= _LEAST_KANA:
        return "euc-jp"
    if _Pairs(sample, _SHIFT_JIS).share((0x82, 0x83)) >= _LEAST_KANA:
        return "shift_jis"
    if euc.share((0xB0, 0xC8), (0xA1, 0xA3)) >= _LEAST_FREQUENT:
        return "euc-kr"
    if _Pairs(sample, _GBK).share((0xB0, 0xD7), (0xA1, 0xA3)) >= _LEAST_FREQUENT:
        return "gbk"
    if _Pairs(sample, _BIG5).share((0xA4, 0xC6), (0xA1, 0xA3)) >= _LEAST_FREQUENT:
        return "big5"
    return None
