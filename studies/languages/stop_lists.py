"""F1 by characters of boilerplate removal in five languages, with stop lists of several coverages.

The text that jusText (preset A) keeps of a page is compared with the page's gold text, both without white
space: the characters in common are the longest common subsequence. Sums are over the pages of a language.
A further stop list per language has 319 words, the length of the English list of the thesis.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from corpusprep import languages
from corpusprep.cleaners.justext import JusText
from corpusprep.encoding import charsets, detection
from corpusprep.languages import LanguageModel
from corpusprep.languages.labelled_texts import unpacked
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter

COLUMNS = (
    "set", "language", "pages", "stop_list", "words", "precision", "recall", "f1", "sha256",
)  # fmt: skip
COVERAGES = (0.45, 0.50, 0.55, languages.STOP_LIST_COVERAGE, 0.60, 0.65, 0.70)
#: Words of the English stop list of the thesis.
FIXED = 319
_LONGEST_LIST = 0.8  # with this coverage, the list of every language has at least FIXED words

_DANIEL = {"English": "en", "Chinese": "zh", "Polish": "pl", "Greek": "el", "Russian": "ru"}
_MARKUP = re.compile("</?p[^>]*>")


@dataclass(frozen=True, slots=True)
class Page:
    """A page and the characters of its gold text, without white space."""

    data: bytes
    gold: str


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the table, in the order of COLUMNS; scores in per cent.

    Raises:
        ArchiveError: a set is missing.
    """
    with unpacked(folder, "daniel-dev") as (daniel, digest):
        pages = daniel_pages(daniel)
        for code in sorted(pages):
            yield from _rows("daniel-dev", code, pages[code], digest)
    with unpacked(folder, "zh-web-content-dev") as (chinese, digest):
        yield from _rows("zh-web-content-dev", "zh", _chinese(chinese), digest)


def _rows(name: str, code: str, pages: list[Page], digest: str) -> Iterator[tuple[str, ...]]:
    for kind, model in _models(code):
        figures = (f"{100 * value:.1f}" for value in score(*counted(pages, model)))
        yield name, code, str(len(pages)), kind, str(len(model.stop_list)), *figures, digest


def _models(code: str) -> Iterator[tuple[str, LanguageModel]]:
    longest = languages.make(code, coverage=_LONGEST_LIST)
    yield f"{FIXED} words", replace(longest, stop_list=longest.stop_list[:FIXED])
    for coverage in COVERAGES:
        yield f"{coverage:.1%}", languages.make(code, coverage=coverage)


def score(common: int, kept: int, wanted: int) -> tuple[float, float, float]:
    """Returns precision, recall and F1 (0 to 1): characters in common, of the kept text, of the gold text."""
    return common / max(kept, 1), common / max(wanted, 1), 2 * common / max(kept + wanted, 1)


def counted(pages: list[Page], model: LanguageModel) -> tuple[int, int, int]:
    """Returns the arguments of `score`: sums over pages whose text jusText keeps with a model."""
    segmenter = Segmenter(model.stop_words, model.characters_per_word)
    for page in pages:
        text, _ = charsets.decode(page.data, detection.detect(page.data, model)[0])
        try:
            segmenter.add(html.parse(text))
        except html.PageError:
            segmenter.add(None)
    blocks = segmenter.take()
    good, texts, bounds = JusText().classify(blocks).good, blocks.texts(), blocks.pages.tolist()
    common = kept = wanted = 0
    for page, first, last in zip(pages, bounds, bounds[1:], strict=False):
        text = "".join("".join(texts[block].split()) for block in range(first, last) if good[block])
        common += common_characters(text, page.gold)
        kept += len(text)
        wanted += len(page.gold)
    return common, kept, wanted


def common_characters(first: str, second: str) -> int:
    """Returns the length of the longest common subsequence, bit-parallel (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for place, char in enumerate(second):
        places[char] = places.get(char, 0) | 1 << place
    every = (1 << len(second)) - 1
    open_places = every
    for char in first:
        if char in places:
            matching = open_places & places[char]
            open_places = ((open_places + matching) | (open_places - matching)) & every
    return len(second) - open_places.bit_count()


def daniel_pages(folder: Path) -> dict[str, list[Page]]:
    """Returns the pages of DAnIEL by the code of their language."""
    names = json.loads((folder / "doc_lg.json").read_text(encoding="utf-8"))
    pages: dict[str, list[Page]] = {code: [] for code in _DANIEL.values()}
    for path in sorted((folder / "html").iterdir()):
        gold = _MARKUP.sub("", (folder / "gold" / path.name).read_text(encoding="utf-8"))
        pages[_DANIEL[names[path.name]]].append(Page(path.read_bytes(), "".join(gold.split())))
    return pages


def _chinese(folder: Path) -> list[Page]:
    golds = {path.stem: path for path in (folder / "gold").iterdir()}
    return [
        Page(path.read_bytes(), "".join(golds[path.stem].read_text(encoding="utf-8", errors="replace").split()))
        for path in sorted((folder / "html").iterdir())
    ]
