"""Measures the choice of an encoding for damaged pages, with and without a declaration.

The pages are made as for PRESEMT's table 1: eight sentences of `langid-dev` in the markup of a page. They are in UTF-8,
in UTF-16, or in the encoding that the language's Web uses most beside UTF-8. Each is damaged in one way. Characters and
bytes are inserted between words. An answer is right if it decodes the page as it was before the damage.
"""

import functools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from corpusprep import languages
from corpusprep.encoding import charsets
from corpusprep.encoding.pages import page_encodings
from corpusprep.io.progress import track
from corpusprep.languages.calibrating import FILES, sentences
from corpusprep.languages.labelled_texts import unpacked
from studies.presemt_2012.encodings import SENTENCES, written
from studies.presemt_2012.made_pages import made, markups, sound

COLUMNS = ("written_in", "damage", "declared", "language", "pages", "right", "accuracy", "sha256")
#: The most pages per file of the set.
PAGES = 12
#: The fewest bytes beyond ASCII of a page in an encoding other than Unicode's: with fewer, the damage is most of them.
LEAST_OTHER = 10
#: The first column of pages in the encoding that the language's Web uses most beside UTF-8.
OTHER = "other"
ALL = "all"

EMOJI = "😀👍🎉❤🚀😂🔥📷"
#: windows-1252: ©, a no-break space, a curly apostrophe, letters.
_STRAYS = (b"\xa9 2011", b"\xa0", b"it\x92s", b"caf\xe9", b"M\xfcller", b"\x96")

Damage = Callable[[bytes, random.Random], bytes]


def rows(folder: Path, pages: Path) -> Iterator[tuple[str, ...]]:
    """Yields rows of COLUMNS: per language, then of all together; every page once without and once with a declaration.

    UTF-8 is declared, in the HTTP header: right for pages in UTF-8, wrong for the others.

    Raises:
        ArchiveError: the set or the pages are missing.
    """
    around = markups(pages)
    with unpacked(folder, "langid-dev") as (data, digest):
        lines = {name: sound(ones) for name, ones in sentences(data).items()}
    tried: Counter[tuple[str, str, str, str]] = Counter()
    right: Counter[tuple[str, str, str, str]] = Counter()
    for name, ones in track(lines.items(), "damaged pages: files", len(lines)):
        code = FILES.get(name, name)
        if code not in languages.known():
            continue
        model = languages.get(code)
        chosen = [page for page in made(ones, SENTENCES, around) if not page.isascii()][:PAGES]
        for number, page in enumerate(chosen):
            for (written_in, damage), (encoding, whole, damaged) in _damaged(page, model.encoding_names[0], number):
                for declared in ("", "utf-8"):
                    answer = page_encodings(damaged, declared or None, model, "detected").trusted
                    for language in (code, ALL):
                        key = (written_in, damage, declared, language)
                        tried[key] += 1
                        right[key] += charsets.decode(whole, answer) == charsets.decode(whole, encoding)
    order = {key: number for number, key in enumerate(dict.fromkeys(key[:3] for key in tried))}
    for key in sorted(tried, key=lambda key: (order[key[:3]], key[3] == ALL, key[3])):
        yield *key, str(tried[key]), str(right[key]), f"{100 * right[key] / tried[key]:.1f}", digest


def _damaged(page: str, other: str, seed: int) -> Iterator[tuple[tuple[str, str], tuple[str, bytes, bytes]]]:
    """Yields (written in, damage), (encoding, bytes of the page, bytes of the damaged page)."""
    data = page.encode()
    for name, damage in DAMAGES.items():
        yield ("utf-8", name), ("utf-8", data, damage(data, random.Random(seed)))
    for name in ("utf-16le", "utf-16be"):
        data = charsets.encode(page, name)
        yield (name, "no byte order mark"), (name, data, data)
    data = written(page, other)
    if sum(byte >= 0x80 for byte in data) >= LEAST_OTHER:
        for name, damage in OTHER_DAMAGES.items():
            yield (OTHER, name), (other, data, damage(data, random.Random(seed)))


def _inserted(pieces: tuple[bytes, ...], times: int, data: bytes, order: random.Random) -> bytes:
    """Inserts one piece after the other at random spaces of the last two thirds of a page, where its text is."""
    parts = data.split(b" ")
    for number in range(times):
        place = order.randrange(len(parts) // 3, len(parts))
        parts[place] += b" " + pieces[number % len(pieces)]
    return b" ".join(parts)


def _inserting(times: int, *pieces: bytes) -> Damage:
    return functools.partial(_inserted, pieces, times)


def _cut(times: int, data: bytes, order: random.Random) -> bytes:
    """Removes the last byte of characters, of half of them at most."""
    characters = [char.encode() for char in data.decode()]
    places = [place for place, char in enumerate(characters) if len(char) > 1]
    for place in order.sample(places, min(times, len(places) // 2)):
        characters[place] = characters[place][:-1]
    return b"".join(characters)


def _encoded_twice(data: bytes, _: random.Random) -> bytes:
    return charsets.decode(data, "windows-1252")[0].encode()


def _cesu_8(char: str) -> bytes:
    """Encodes each half of a surrogate pair as if it were a character, as Java and older databases do."""
    wide = char.encode("utf-16-be")
    return b"".join(wide[i : i + 2].decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass")
                    for i in range(0, len(wide), 2))  # fmt: skip


_PAIRED = tuple(map(_cesu_8, EMOJI))
DAMAGES: Mapping[str, Damage] = {
    "none": lambda data, _: data,
    "1 emoji as encoded surrogates": _inserting(1, *_PAIRED),
    "5 emoji as encoded surrogates": _inserting(5, *_PAIRED),
    "50 emoji as encoded surrogates": _inserting(50, *_PAIRED),
    "5 lone surrogates": _inserting(5, b"\xed\xa0\xbd", b"\xed\xb8\x80"),
    "5 overlong forms": _inserting(5, b"\xc0\xaf", b"\xc0\x80", b"\xe0\x80\xaf"),
    "1 stray byte": _inserting(1, *_STRAYS),
    "5 stray bytes": _inserting(5, *_STRAYS),
    "5 emoji, 1 stray byte": lambda data, order: _inserted(
        _STRAYS[3:], 1, _inserted(tuple(char.encode() for char in EMOJI), 5, data, order), order
    ),
    "1 character cut": functools.partial(_cut, 1),
    "10 characters cut": functools.partial(_cut, 10),
    "encoded twice": _encoded_twice,
    "20 invalid sequences": _inserting(20, b"\xff\xc0\xaf"),
    "byte order mark inside": _inserting(1, b"\xef\xbb\xbf"),
    "UTF-16 mark inside": _inserting(1, b"\xff\xfe", b"\xfe\xff"),
}
OTHER_DAMAGES: Mapping[str, Damage] = {
    "none": lambda data, _: data,
    "1 character of UTF-8": _inserting(1, "©".encode()),
    "3 characters of UTF-8": _inserting(3, "©".encode(), "it’s".encode(), "café".encode()),
    "20 invalid sequences": _inserting(20, b"\xff\xc0\xaf"),
}
