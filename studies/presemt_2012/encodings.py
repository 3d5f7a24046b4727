"""Measures encoding detection in a known language.

One table repeats table 1 of PRESEMT D3.1; the other compares detectors on labelled files. An answer is right if it
decodes the bytes to the same text as the true encoding, so supersets count as right (windows-1252 for iso-8859-1, gbk
for gb2312). The first table also counts answers with the right name alone.
"""

import importlib
import importlib.util
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpusprep import languages
from corpusprep.encoding import charsets, detection
from corpusprep.errors import LanguageError
from corpusprep.io.progress import track
from corpusprep.languages import LanguageModel
from corpusprep.languages.calibrating import FILES, sentences
from corpusprep.languages.labelled_texts import unpacked
from studies import published
from studies.presemt_2012.made_pages import Markup, markups, sound

CROSS_VALIDATION_COLUMNS = (
    "pages", "language", "encoding", "share_of_pages", "count", "accuracy", "accuracy_of_names", "published_accuracy",
    "taken_for", "sha256",
)  # fmt: skip
LABELLED_COLUMNS = ("characters", "detector", "documents", "right", "accuracy", "sha256")

Detector = Callable[[bytes, LanguageModel], str | None]

#: Language and encoding -> the row of table 1; the encoding `average` is the weighted mean.
_PUBLISHED = {(row["language"], row["encoding"]): row for row in published.table("presemt.1")}
#: Language -> its encodings.
PUBLISHED: dict[str, list[str]] = {}
for _code, _encoding in _PUBLISHED:
    if _encoding != "average":
        PUBLISHED.setdefault(_code, []).append(_encoding)
#: Stands for the row of a further language.
_UNPUBLISHED = {"share_of_pages": "", "accuracy": ""}
_FOLDS = 5
#: Sentences of a made page in the table of damaged pages.
SENTENCES = 8
#: Pages of CleanEval whose markup is used; words of a short page.
WEB_PAGES, SHORT_WORDS = 60, 12
#: Bytes that windows-1252 uses for characters and iso-8859-1 does not.
_CONTROLS = re.compile(rb"[\x80-\x9f]")

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
    """Repeats PRESEMT's table 1 with 5-fold cross-validation, on made pages.

    A made page has the markup of a Web page of CleanEval (HTML of 1998 to 2006, with its scripts and attributes) and as
    many words, from held-out sentences of `langid-dev`, with typographic marks on every second page.
    Sentences that were decoded wrongly when the set was made are left out (made_pages.sound). A
    short page has the first words of a sentence in the markup of the folder `pages`. So texts are as long as on the
    Web, and markup outweighs them.

    Yields:
        Rows of CROSS_VALIDATION_COLUMNS. `accuracy` takes an answer as right that decodes the page to the same text.
        `accuracy_of_names` takes only the name of the encoding as right; a page of windows-1252 without a byte that
        iso-8859-1 lacks is called iso-8859-1, as both are the same bytes. `taken_for` has the names of wrong answers.
        The rows `as iso-8859-1` and `as windows-1252` are the published confusion. The share of pages is the published
        one, and the weight for `average`. Characters that an encoding lacks are written as references, so Greek in
        windows-1252 is ASCII. Further built-in languages have rows without a share, with the encodings of their Web;
        their average is a plain mean. Those with too few sentences have none.

    Raises:
        ArchiveError: a set or the pages are missing.
    """
    around = {"short": markups(pages)}
    with unpacked(folder, "langid-dev") as (data, digest):
        lines_of: dict[str, list[str]] = {}
        for name, lines in sentences(data).items():
            lines_of.setdefault(FILES.get(name, name), []).extend(sound(lines))
    with unpacked(folder, "cleaneval") as (data, _):
        paths = sorted((data / "final" / "html").glob("*.html"))
        sources = (path.read_bytes().decode("utf-8", "replace") for path in paths[:: max(1, len(paths) // WEB_PAGES)])
        around["Web"] = [markup for markup in map(Markup, sources) if markup.words]
    further = [code for code in sorted(lines_of) if code in languages.known() and code not in PUBLISHED]
    for code in track([*PUBLISHED, *further], "encodings: languages", len(PUBLISHED) + len(further)):
        cells = PUBLISHED.get(code) or ["utf-8", *languages.get(code).encoding_names]
        try:
            counts = _folded(code, list(dict.fromkeys(cells)), lines_of[code], around)
        except LanguageError:  # the set has too few sentences for a model
            if code in PUBLISHED:
                raise
            continue
        for kind, answers in counts.items():
            yield from _rows_of(kind, code, answers, digest)


def _folded(
    code: str, cells: Sequence[str], lines: Sequence[str], around: Mapping[str, Sequence[Markup]]
) -> dict[str, dict[str, "_Answers"]]:
    """Returns the answers by kind of pages and encoding."""
    counts = {kind: {name: _Answers() for name in cells} for kind in ("Web", "short")}
    for held_out in range(_FOLDS):
        train = [line for number, line in enumerate(lines) if number % _FOLDS != held_out]
        test = [line for number, line in enumerate(lines) if number % _FOLDS == held_out]
        own = languages.get(code).encodings.names
        names = dict.fromkeys([*own, *(charsets.whatwg_name(name) or name for name in cells)])
        model = languages.make(code, ["\n".join(train)], encodings=list(names), rivals=[], threshold=0.0)
        made = {
            "Web": _long(test, around["Web"][held_out::_FOLDS]),
            "short": [
                around["short"][number % len(around["short"])].around(" ".join(line.split()[:SHORT_WORDS]))
                for number, line in enumerate(test[:SHORT_WORDS])
            ],
        }
        for kind, pages in made.items():
            for name, answers in counts[kind].items():
                for page in pages:
                    answers.add(written(page, name), name, model)
    return counts


class _Answers:
    """Answers about pages in one encoding.

    Attributes:
        pages: number of pages.
        right: answers that decode to the same text.
        named: answers with the name of the encoding.
        wrong: names of the answers that are not its name.
    """

    def __init__(self) -> None:
        self.pages = self.right = self.named = 0
        self.wrong: Counter[str] = Counter()

    def add(self, data: bytes, name: str, model: LanguageModel) -> None:
        """Adds the answer for a page in this encoding."""
        answer = detection.detect(data, model)[0]
        called = "iso-8859-1" if answer == "windows-1252" and not _CONTROLS.search(data) else answer
        if data.isascii():
            called = name  # the same bytes in each of the encodings
        self.pages += 1
        self.right += _is_right(data, answer, name)
        self.named += called == name
        if called != name:
            self.wrong[called] += 1


def _rows_of(kind: str, code: str, answers: dict[str, "_Answers"], digest: str) -> Iterator[tuple[str, ...]]:
    """Yields the rows of one kind of pages in one language."""
    published_rows = {name: _PUBLISHED.get((code, name), _UNPUBLISHED) for name in answers}
    weights = {name: float(row["share_of_pages"] or 1) for name, row in published_rows.items()}
    means = []
    for name, answered in answers.items():
        accuracy, named = (100 * count / max(1, answered.pages) for count in (answered.right, answered.named))
        means.append((weights[name] * accuracy, weights[name] * named))
        taken_for = " ".join(
            f"{other}:{count}" for other, count in sorted(answered.wrong.items(), key=lambda x: (-x[1], x[0]))
        )
        yield (
            kind, code, name, published_rows[name]["share_of_pages"], str(answered.pages), f"{accuracy:.1f}",
            f"{named:.1f}", published_rows[name]["accuracy"], taken_for, digest,
        )  # fmt: skip
    for name, other in (("windows-1252", "iso-8859-1"), ("iso-8859-1", "windows-1252")):
        if code not in PUBLISHED:
            continue
        answered = answers[name]
        share = f"{100 * answered.wrong[other] / max(1, answered.pages):.1f}"
        yield kind, code, f"{name} as {other}", "", str(answered.pages), share, share, "", "", digest
    total = sum(weights.values())
    accuracy, named = (sum(column) / total for column in zip(*means, strict=True))
    pages = str(sum(answered.pages for answered in answers.values()))
    goal = _PUBLISHED.get((code, "average"), _UNPUBLISHED)["accuracy"]
    yield kind, code, "average", "", pages, f"{accuracy:.1f}", f"{named:.1f}", goal, "", digest


def _long(sentences: Sequence[str], around: Sequence[Markup]) -> list[str]:
    """Returns a page per markup with as many words as it had; the words of the sentences are used in turn.

    Every second page has typographic marks, for which windows-1252 has characters and iso-8859-1 has none.
    """
    words = " ".join(sentences).split()
    pages: list[str] = []
    start = 0
    for markup in around:
        text = " ".join(words[(start + number) % len(words)] for number in range(markup.words))
        start += markup.words
        if len(pages) % 2:
            text = text.replace("'", "’").replace('"', "”").replace(". ", ".” “")
        pages.append(markup.around(text))
    return pages


def labelled(folder: Path) -> Iterator[tuple[str, ...]]:
    """Measures accuracy on the files of `charset-dev` that are not UTF-8 or ASCII and whose language is known.

    Yields:
        Rows of LABELLED_COLUMNS, for whole files and for pieces of 50, 200 and 1,000 characters. Detectors
        other than corpusprep do not know the language. One that is not installed has a row that says so.

    Raises:
        ArchiveError: the set is missing.
    """
    with unpacked(folder, "charset-dev") as (data, digest):
        files = list(_labelled_files(data))
    detectors: dict[str, Detector | None] = {"corpusprep": lambda data, model: detection.detect(data, model)[0]}
    detectors |= _peers()
    for length in ("whole", *map(str, _LENGTHS)):
        documents = files
        if length != "whole":
            documents = [
                (code, label, piece) for code, label, data in files for piece in _pieces(data, label, int(length))
            ]
        for tool, detect in detectors.items():
            if detect is None:
                yield length, tool, str(len(documents)), "", "not measured: not installed", digest
                continue
            right = sum(_is_right(data, detect(data, languages.get(code)), label) for code, label, data in documents)
            share = f"{100 * right / max(len(documents), 1):.1f}"
            yield length, tool, str(len(documents)), str(right), share, digest


def written(page: str, name: str) -> bytes:
    """Encodes a page like an HTML editor: characters that the encoding lacks become references."""
    if name == "utf-8":
        return page.encode()
    if name == "iso-8859-1":  # the label means windows-1252 on the Web, but an editor's iso-8859-1 has no “
        return page.encode("iso-8859-1", "xmlcharrefreplace")
    written = {char: charsets.encode(char, name) for char in set(page)}
    return b"".join(f"&#{ord(char)};".encode() if char != "?" and data == b"?" else data
                    for char in page for data in (written[char],))  # fmt: skip


def _is_right(data: bytes, answer: str | None, label: str) -> bool:
    if answer is None:
        return False
    name = charsets.whatwg_name(answer) or charsets.whatwg_name(answer.replace("_", "-"))
    if name is not None:
        return charsets.decode(data, name) == charsets.decode(data, label)
    try:
        return data.decode(answer, "replace") == charsets.decode(data, label)[0]
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


def _peers() -> dict[str, Detector | None]:
    """Returns the other detectors; None for one that is not installed."""
    peers: dict[str, Detector | None] = {"charset-normalizer": None, "faust-cchardet": None}
    if importlib.util.find_spec("charset_normalizer"):
        normalizer: Any = importlib.import_module("charset_normalizer")

        def normalised(data: bytes, _model: LanguageModel) -> str | None:
            best = normalizer.from_bytes(data).best()
            return None if best is None else str(best.encoding)

        peers["charset-normalizer"] = normalised
    if importlib.util.find_spec("cchardet"):
        cchardet: Any = importlib.import_module("cchardet")
        peers["faust-cchardet"] = lambda data, model: cchardet.detect(data)["encoding"]
    return peers
