"""What is seen of a text, in plain Python: the twin of native/text/visible.hpp, by looks at the characters around."""

import unicodedata

JOINING = (
    "ARABIC SYRIAC THAANA NKO SAMARITAN MANDAIC DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA"
    " MALAYALAM SINHALA THAI LAO TIBETAN MYANMAR KHMER MONGOLIAN"
).split()
VISIBLE_FORMATS = {*map(chr, range(0x600, 0x606)), "\u06dd", "\u070f", "\u0890", "\u0891", "\u08e2"}


def shape(character: str) -> str:
    """Returns J (joins), Y (symbol), o (other), V (variation selector), T (tag), n, z (joiners), x (invisible)."""
    code, category = ord(character), unicodedata.category(character)
    if character in "\u200c\u200d":
        return "n" if character == "\u200c" else "z"
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or character in "\u180b\u180c\u180d\u180f":
        return "V"
    if 0xE0020 <= code <= 0xE007F:
        return "T"
    if category in ("Cc", "Co", "Cs") or (category == "Cf" and character not in VISIBLE_FORMATS):
        return "x"
    if character in "\u034f\u17b4\u17b5\u2800\u3164\uffa0" or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
        return "x"
    if category[0] in "LM" and unicodedata.name(character, "").split(" ")[0] in JOINING:
        return "J"
    return "Y" if category[0] == "S" and code >= 0x80 else "o"


def seen(text: str) -> list[bool]:
    """Returns whether each character of a text stays; white space does."""
    shapes = ["_" if character.isspace() else shape(character) for character in text]
    return [_stays(shapes, place) for place in range(len(shapes))]


def _stays(shapes: list[str], place: int) -> bool:
    found = shapes[place]
    if found in "_oJYx":
        return found != "x"
    before = [one for one in shapes[:place] if one != "x"]
    after = [one for one in shapes[place + 1 :] if one not in "xVT"]
    base = next((one for one in reversed(before) if one in "oJY_"), "_")
    next_ = after[0] if after else "_"
    if found == "n":
        return base == next_ == "J"
    if found == "z":
        return base == "J" or base == next_ == "Y"
    joiner = next((one for one in reversed(before) if one in "oJY_nz"), "_")
    waiting = (base, joiner) in {("J", "n"), ("Y", "z")}
    return not waiting and (base == "Y" if found == "T" else base != "_")
