"""Writes the tables of native/text/ from Python's unicodedata: unicode_tables.hpp and unicode_mapping_tables.hpp.

Run by hand to follow a newer version of Unicode. The results are committed, so tokens, models and scores depend neither
on the Python that builds the package nor on the Python that runs it:

    python native/text/make_unicode_tables.py native/text
"""

import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROW = 256
CLASSES = {"L": 1, "M": 2, "N": 3, "P": 4, "S": 5, "Z": 6, "C": 7}
CODES = range(sys.maxunicode + 1)
HANGUL = range(0xAC00, 0xD7A4)
SIGMA, FINAL_SIGMA = "\u03a3", "\u03c2"
HEAD = f"""\
// Made by native/text/make_unicode_tables.py from Unicode {unicodedata.unidata_version}.
// clang-format off
#pragma once

#include <cstdint>
"""


def unicode_class(code_point: int) -> int:
    """The UnicodeClass of one code point (see unicode.hpp)."""
    character = chr(code_point)
    if character.isspace() or character in "\u0085\u2028\u2029":
        return CLASSES["Z"]
    category = unicodedata.category(character)
    if category == "Cf":
        return 8
    if category == "Cn":
        return 0
    return CLASSES[category[0]]


def class_tables() -> Iterator[str]:
    """The lines of unicode_tables.hpp."""
    rows: dict[bytes, int] = {}
    index = []
    for start in range(0, len(CODES), ROW):
        row = bytes(unicode_class(c) for c in range(start, start + ROW))
        index.append(rows.setdefault(row, len(rows)))
    yield "// Unicode general categories, folded to UnicodeClass (unicode.hpp)."
    yield HEAD
    yield "namespace corpusprep::tables {\n"
    yield f"inline constexpr std::uint8_t kRowIndex[{len(index)}] = {{"
    for i in range(0, len(index), 32):
        yield "    " + ",".join(map(str, index[i : i + 32])) + ","
    yield "};\n"
    yield f"inline constexpr std::uint8_t kRows[{len(rows)}][{ROW}] = {{"
    for row in rows:
        yield "    {" + ",".join(map(str, row)) + "},"
    yield "};\n\n}  // namespace corpusprep::tables"


def literal(value: Any) -> str:
    """A number, or a tuple as a struct or an array."""
    if isinstance(value, tuple):
        return "{" + ",".join(map(literal, value)) + "}"
    return f"0x{value:X}" if value > 9 else str(value)


def array(name: str, kind: str, rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """A sorted array of structs."""
    found = [literal(row) for row in rows]
    yield f"inline constexpr {kind} {name}[{len(found)}] = {{"
    for i in range(0, len(found), 6):
        yield "    " + ",".join(found[i : i + 6]) + ","
    yield "};\n"


def ranges(values: Callable[[int], int]) -> Iterator[tuple[int, int, int]]:
    """First code point, last code point and value of the ranges whose value is not 0."""
    first, value = 0, values(0)
    for code in (*CODES[1:], len(CODES)):
        new = values(code) if code < len(CODES) else -1
        if new != value:
            if value:
                yield first, code - 1, value
            first, value = code, new


def mapping(change: Callable[[str], str]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each code point that `change` changes, with the one to three that it becomes."""
    for code in CODES:
        changed = change(chr(code))
        if changed != chr(code):
            yield (code, (*map(ord, changed), *[0] * (3 - len(changed))))


def decompositions() -> Iterator[tuple[int, ...]]:
    """Canonical decompositions, one step each: code point, first, second or 0, and whether the two compose again."""
    for code in CODES:
        fields = unicodedata.decomposition(chr(code)).split()
        if fields and not fields[0].startswith("<") and code not in HANGUL:
            pair = [int(field, 16) for field in fields]
            composes = unicodedata.normalize("NFC", chr(code)) == chr(code)
            yield (code, pair[0], pair[1] if len(pair) > 1 else 0, int(composes))


def nfc_class(code: int) -> int:
    """The combining class of a mark; 255 for what decomposes in NFC, or may compose with a character before it."""
    character = chr(code)
    seconds = code in SECONDS or 0x1161 <= code <= 0x1175 or 0x11A8 <= code <= 0x11C2
    changes = unicodedata.normalize("NFC", character) != character
    return 255 if changes or seconds else unicodedata.combining(character)


def nfc_tables() -> Iterator[str]:
    """The classes of all code points in NFC, in distinct rows."""
    rows: dict[bytes, int] = {}
    starts = range(0, len(CODES), ROW)
    index = [rows.setdefault(bytes(map(nfc_class, range(start, start + ROW))), len(rows)) for start in starts]
    yield f"inline constexpr std::uint8_t kNfcRowIndex[{len(index)}] = {{"
    for i in range(0, len(index), 32):
        yield "    " + ",".join(map(str, index[i : i + 32])) + ","
    yield "};\n"
    yield f"inline constexpr std::uint8_t kNfcRows[{len(rows)}][{ROW}] = {{"
    for row in rows:
        yield "    {" + ",".join(map(str, row)) + "},"
    yield "};\n"


def sigma_context(code: int) -> int:
    """What a character beside a capital sigma says of it: 1 it is cased, 2 look at the next one, 0 neither."""
    character = chr(code)
    if (character + SIGMA).lower().endswith(FINAL_SIGMA):
        return 1
    return 2 if ("A" + character + SIGMA).lower().endswith(FINAL_SIGMA) else 0


DECOMPOSITIONS = list(decompositions())
SECONDS = {second for _, _, second, composes in DECOMPOSITIONS if composes}


def mapping_tables() -> Iterator[str]:
    """The lines of unicode_mapping_tables.hpp."""
    yield "// Unicode case mappings and canonical composition (unicode_mappings.cpp)."
    yield HEAD
    yield "namespace corpusprep::tables {\n"
    yield "struct Decomposition { char32_t code, first, second; std::uint8_t composes; };"
    yield "struct Mapping { char32_t code, to[3]; };"
    yield "struct Range { char32_t first, last; std::uint8_t value; };\n"
    yield from array("kDecompositions", "Decomposition", DECOMPOSITIONS)
    yield from array("kCombiningClasses", "Range", ranges(lambda code: unicodedata.combining(chr(code))))
    yield from nfc_tables()
    yield from array("kLower", "Mapping", mapping(str.lower))
    yield from array("kUpper", "Mapping", mapping(str.upper))
    yield from array("kTitle", "Mapping", mapping(str.title))
    yield from array("kFolded", "Mapping", mapping(str.casefold))
    yield from array("kSigmaContexts", "Range", ranges(sigma_context))
    yield "}  // namespace corpusprep::tables"


def main() -> None:
    """Writes the two headers into a folder."""
    folder = Path(sys.argv[1])
    (folder / "unicode_tables.hpp").write_text("\n".join(class_tables()) + "\n", encoding="utf-8")
    (folder / "unicode_mapping_tables.hpp").write_text("\n".join(mapping_tables()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
