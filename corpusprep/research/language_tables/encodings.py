"""Measures encoding detection in a known language.

One table repeats table 1 of PRESEMT D3.1; the other compares detectors on labelled files. An answer is right if it
decodes the bytes to the same text as the true encoding, so supersets count as right (windows-1252 for iso-8859-1, gbk
for gb2312).
"""

import importlib
import importlib.util
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from corpusprep import languages
from corpusprep.encoding import charsets, detection
from corpusprep.languages import LanguageModel
from corpusprep.research.language_tables.data import unpacked
from corpusprep.research.language_tables.made_pages import made, markups

CROSS_VALIDATION_COLUMNS = (
    "language", "encoding", "share_of_pages", "pages", "accuracy", "published_accuracy", "sha256",
)  # fmt: skip
LABELLED_COLUMNS = ("characters", "detector", "documents", "right", "accuracy", "sha256")

Detector = Callable[[bytes, LanguageModel], str | None]

#: PRESEMT D3.1, table 1: the share of pages in each encoding, in per cent, and the weighted average accuracy.
PUBLISHED = {
    "cs": ({"utf-8": 60.2, "windows-1250": 32.2, "windows-1252": 0.4, "iso-8859-1": 1.0, "iso-8859-2": 6.0}, 99.2),
    "en": ({"utf-8": 56.9, "windows-1252": 9.4, "iso-8859-1": 32.8}, 93.5),
    "de": ({"utf-8": 54.6, "windows-1252": 6.5, "iso-8859-1": 37.1, "iso-8859-15": 1.2}, 93.7),
    "el": (
        {"utf-8": 68.5, "windows-1252": 3.1, "windows-1253": 14.3, "iso-8859-1": 1.7, "iso-8859-7": 12.0},
        97.9,
    ),
    "it": ({"utf-8": 54.2, "windows-1252": 7.1, "iso-8859-1": 37.9}, 93.3),
    "nb": ({"utf-8": 63.0, "windows-1252": 7.0, "iso-8859-1": 29.3}, 95.7),
}
_FOLDS = 5
#: Sentences per made page.
SENTENCES = 8

#: Folders of chardet's tests whose name implies the language -> the code of the language.
_LANGUAGES = {
    "big5": "zh", "gb2312": "zh", "euc-jp": "ja", "shift_jis": "ja", "cp932": "ja", "euc-kr": "ko", "cp949": "ko",
    "ibm866": "ru", "koi8-r": "ru", "maccyrillic": "ru", "iso-8859-2-croatian": "sh", "iso-8859-2-czech": "cs",
    "iso-8859-2-hungarian": "hu", "iso-8859-2-polish": "pl", "iso-8859-5-bulgarian": "bg", "iso-8859-5-russian": "ru",
    "iso-8859-7-greek": "el", "iso-8859-9-turkish": "tr", "windows-1250-hungarian": "hu", "windows-1250-slovak": "sk",
    "windows-1251-bulgarian": "bg", "windows-1251-russian": "ru", "windows-1254-turkish": "tr",
    "windows-1255-hebrew": "he", "windows-1256-arabic": "ar",
}  # fmt: skip
_LABELS = {"cp932": "shift_jis", "cp949": "euc-kr", "maccyrillic": "x-mac-cyrillic", "mac-cyrillic": "x-mac-cyrillic"}
_LENGTHS = (50, 200, 1000)
_PIECES = 5  # per file and length
_TAG = re.compile("<(script|style).*?</\\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def cross_validation(folder: Path, pages: Path) -> Iterator[tuple[str, ...]]:
    """Repeats PRESEMT's table 1 on made pages, with 5-fold cross-validation.

    A made page has eight sentences of `langid-dev` in the markup of a page of the folder `pages` (in the workflow, the
    pages of the sample). The markups are used in turn; scripts, style sheets and attributes are not changed.

    Yields:
        Rows of CROSS_VALIDATION_COLUMNS. The share of pages is the published one, and the weight for `average`.
        Characters that an encoding lacks are written as references, so Greek in windows-1252 is ASCII.

    Raises:
        ArchiveError: the set or the pages are missing.
    """
    around = markups(pages)
    with unpacked(folder, "langid-dev") as (data, digest):
        sentences = {
            code: (data / "lingua-split" / "dev" / f"{code}.txt").read_text(encoding="utf-8").splitlines()
            for code in PUBLISHED
        }
    for code, (shares, average) in PUBLISHED.items():
        right: dict[str, int] = dict.fromkeys(shares, 0)
        tried = 0
        for held_out in range(_FOLDS):
            lines = sentences[code]
            train = [line for number, line in enumerate(lines) if number % _FOLDS != held_out]
            test = [line for number, line in enumerate(lines) if number % _FOLDS == held_out]
            own = languages.get(code).encodings.names
            names = dict.fromkeys([*own, *(charsets.whatwg_name(name) or name for name in shares)])
            model = languages.make(code, ["\n".join(train)], encodings=list(names), rivals=[], threshold=0.0)
            for page in made(test, SENTENCES, around):
                tried += 1
                for name in shares:
                    bytes_ = written(page, name)
                    right[name] += _is_right(bytes_, detection.detect(bytes_, model)[0], name)
        weighted = 0.0
        for name, share in shares.items():
            accuracy = right[name] / tried
            weighted += share * accuracy / sum(shares.values())
            yield code, name, str(share), str(tried), f"{100 * accuracy:.1f}", "", digest
        yield code, "average", "", str(tried * len(shares)), f"{100 * weighted:.1f}", str(average), digest


def labelled(folder: Path) -> Iterator[tuple[str, ...]]:
    """Measures accuracy on the files of `charset-dev` that are not UTF-8 or ASCII and whose language is known.

    Yields:
        Rows of LABELLED_COLUMNS, for whole files and for pieces of 50, 200 and 1,000 characters. Detectors
        other than corpusprep do not know the language. They have rows only if they are installed.

    Raises:
        ArchiveError: the set is missing.
    """
    with unpacked(folder, "charset-dev") as (data, digest):
        files = list(_labelled_files(data))
    detectors: dict[str, Detector] = {"corpusprep": lambda data, model: detection.detect(data, model)[0], **_peers()}
    for length in ("whole", *map(str, _LENGTHS)):
        documents = files
        if length != "whole":
            documents = [
                (code, label, piece) for code, label, data in files for piece in _pieces(data, label, int(length))
            ]
        for tool, detect in detectors.items():
            right = sum(_is_right(data, detect(data, languages.get(code)), label) for code, label, data in documents)
            share = f"{100 * right / max(len(documents), 1):.1f}"
            yield length, tool, str(len(documents)), str(right), share, digest


def written(page: str, name: str) -> bytes:
    """Encodes a page like an HTML editor: characters that the encoding lacks become references."""
    if name == "utf-8":
        return page.encode()
    written = {char: charsets.encode(char, name) for char in set(page)}
    return b"".join(f"&#{ord(char)};".encode() if char != "?" and data == b"?" else data
                    for char in page for data in (written[char],))  # fmt: skip


def _is_right(data: bytes, found: str | None, label: str) -> bool:
    if found is None:
        return False
    name = charsets.whatwg_name(found) or charsets.whatwg_name(found.replace("_", "-"))
    if name is not None:
        return charsets.decode(data, name) == charsets.decode(data, label)
    try:
        return data.decode(found, "replace") == charsets.decode(data, label)[0]
    except LookupError:
        return False


def _labelled_files(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """Yields (language, label, bytes) of every distinct file that is neither UTF-8 nor ASCII."""
    seen = set()
    for path in sorted(folder.glob("chardet-tests/*/*")) + sorted(folder.glob("uchardet-tests/*/*")):
        name = path.parent.name.lower()
        if path.parent.parent.name == "chardet-tests":
            code = _LANGUAGES.get(name, "")
            label = name if name in _LABELS or charsets.whatwg_name(name) else name.rpartition("-")[0]
        else:
            code, label = name, path.stem.lower()
        label = charsets.whatwg_name(_LABELS.get(label, label)) or ""
        data = path.read_bytes()
        wide = label.startswith(("utf", "iso-2022")) or not label
        if code in languages.known() and not wide and data not in seen and not data.isascii():
            seen.add(data)
            yield code, label, data


def _pieces(data: bytes, label: str, length: int) -> list[bytes]:
    """Returns random pieces of `length` characters of a page's text that are not ASCII, in the encoding of the page."""
    text = " ".join(_TAG.sub(" ", charsets.decode(data, label)[0]).split())
    places = range(0, max(len(text) - length, 0) + 1, length)
    pieces = [text[place : place + length] for place in places]
    pieces = [piece for piece in pieces if len(piece) == length and not piece.isascii()]
    chosen = random.Random(0).sample(pieces, min(_PIECES, len(pieces)))
    encoded = [charsets.encode(piece.replace(charsets.REPLACEMENT, " "), label) for piece in chosen]
    return [piece for piece in encoded if not piece.isascii()]


def _peers() -> dict[str, Detector]:
    peers: dict[str, Detector] = {}
    if importlib.util.find_spec("charset_normalizer"):
        normalizer: Any = importlib.import_module("charset_normalizer")

        def normalised(data: bytes, model: LanguageModel) -> str | None:
            best = normalizer.from_bytes(data).best()
            return None if best is None else str(best.encoding)

        peers["charset-normalizer"] = normalised
    if importlib.util.find_spec("cchardet"):
        cchardet: Any = importlib.import_module("cchardet")
        peers["faust-cchardet"] = lambda data, model: cchardet.detect(data)["encoding"]
    return peers
