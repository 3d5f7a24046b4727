"""Victor's features of text in plain Python, from their definitions: the oracle of native/pages/victor_features.hpp."""

import re
import unicodedata
from collections.abc import Sequence

MONTHS = "january february march april may june july august september october november december".split()
AROUND = "()[]<>\"',.;:!?"
CLOSING = "\"')]}»’”」"
DATE = re.compile(r"\d{1,2}([./-])\d{1,2}\1(\d\d|\d{4})|\d{4}([./-])\d{1,2}\3\d{1,2}", re.ASCII)
TIME = re.compile(r"\d{1,2}:\d\d(:\d\d)?([ap]m)?", re.ASCII | re.IGNORECASE)


def character_class(character: str) -> str:
    """L for letters and marks, N for numbers, P for punctuation, S for other characters."""
    category = unicodedata.category(character)[0]
    return {"L": "L", "M": "L", "N": "N", "P": "P"}.get(category, "S")


def share(part: int, whole: int) -> int:
    """In 255ths."""
    return 255 * part // whole if whole else 0


def page_features(texts: Sequence[str], words: Sequence[int]) -> list[list[int]]:
    """The features of a page's blocks: one list per block."""
    on_page = min(255, sum(sentences(text) for text in texts))
    return [
        [*block_features(text, words[place]), min(255, texts[:place].count(text)), on_page]
        for place, text in enumerate(texts)
    ]


def block_features(text: str, words: int) -> list[int]:
    """The features that depend on a block alone."""
    tokens = [token for token in text.split(" ") if token]
    classes = [{character_class(character) for character in token} for token in tokens]
    bare = [token.strip(AROUND) for token in tokens]
    numbers = [token[:1].isascii() and token[:1].isdigit() for token in bare]
    counts = {
        "letters": sum("L" in found and "N" not in found for found in classes),
        "digits": sum("N" in found and "L" not in found for found in classes),
        "both": sum({"L", "N"} <= found for found in classes),
        "neither": sum(not found & {"L", "N"} for found in classes),
    }
    every = [character_class(character) for character in text if character != " "]
    ends = sentences(text)
    dates = 0
    month_before = False
    for place, token in enumerate(bare):
        month = token.lower() in MONTHS or token.lower() in {name[:3] for name in MONTHS}
        after_number = place > 0 and numbers[place - 1]
        dates += numbers[place] and (bool(DATE.fullmatch(token)) or month_before)
        dates += month and after_number
        month_before = month and not after_number
    return [
        share(every.count("L"), len(text)),
        share(text.count(" "), len(text)),
        share(every.count("S"), len(text)),
        *(share(count, len(tokens)) for count in counts.values()),
        min(255, ends),
        min(255, words // max(1, ends)),
        min(255, dates),
        min(255, sum(bool(TIME.fullmatch(token)) for token in bare)),
        min(255, sum(token.lower().startswith(("www.", "http://", "https://")) for token in bare)),
        int(text[:1] in tuple("*•·▪●■►›»‣")),
    ]


def sentences(text: str) -> int:
    """Tokens that end with a full stop, question or exclamation mark, and ideographic stops."""
    found = sum(text.count(stop) for stop in "。！？")
    return found + sum(token.rstrip(CLOSING)[-1:] in tuple(".!?…؟।") for token in text.split(" "))
