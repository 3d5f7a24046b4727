"""Writes native/text/unicode_tables.hpp from Python's unicodedata.

Run by hand when the tables should follow a newer Unicode; the result is committed, so that
tokens do not depend on the Python that builds the package:

    python native/text/make_unicode_tables.py > native/text/unicode_tables.hpp
"""

import sys
import unicodedata

BLOCK = 256
CLASSES = {"L": 1, "M": 2, "N": 3, "P": 4, "S": 5, "Z": 6, "C": 7}


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


def main() -> None:
    """Prints the header."""
    blocks: dict[bytes, int] = {}
    index = []
    for start in range(0, sys.maxunicode + 1, BLOCK):
        block = bytes(unicode_class(c) for c in range(start, start + BLOCK))
        index.append(blocks.setdefault(block, len(blocks)))
    print("// Unicode general categories, folded to UnicodeClass (unicode.hpp).")
    print(f"// Made by native/text/make_unicode_tables.py from Unicode {unicodedata.unidata_version}.")
    print("// clang-format off\n#pragma once\n\n#include <cstdint>\n\nnamespace corpusprep::tables {\n")
    print(f"inline constexpr std::uint8_t kBlockIndex[{len(index)}] = {{")
    for i in range(0, len(index), 32):
        print("    " + ",".join(map(str, index[i : i + 32])) + ",")
    print("};\n")
    print(f"inline constexpr std::uint8_t kBlocks[{len(blocks)}][{BLOCK}] = {{")
    for block in blocks:
        print("    {" + ",".join(map(str, block)) + "},")
    print("};\n\n}  // namespace corpusprep::tables")


if __name__ == "__main__":
    main()
