"""A page's tree, cut into textual blocks that are counted (Pomikálek 2011, 2.7 and 2.7.1)."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from lxml import etree

#: Block-level elements that the thesis names (footnote 15).
THESIS_TAGS = frozenset(
    "blockquote caption center col colgroup dd div dl dt fieldset form h1 h2 h3 h4 h5 h6 legend li optgroup option"
    " p pre table td textarea tfoot th thead tr ul".split()
)
#: Elements that browsers format as blocks and that the thesis does not name: most are younger than it.
LATER_TAGS = frozenset(
    "address article aside details dialog figcaption figure footer header hgroup hr main menu nav ol search section"
    " summary tbody".split()
)
BLOCK_TAGS = THESIS_TAGS | LATER_TAGS
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
#: Elements whose contents are no text of the page. (2.7.1 says <header> where it means <head>.)
REMOVED_TAGS = frozenset({"head", "script", "style", "svg", "template"})


def _marks() -> str:
    """Combining marks, which are no word characters in Python, as ranges of a regular expression's class."""
    ranges: list[list[int]] = []
    for code in (*range(0x300, 0x20000), *range(0xE0100, 0xE01F0)):
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


# "The longest continuous subsequences of alphabetical characters"; with an inner hyphen, one word (2.7.2, footnote 16).
_LETTERS = rf"(?:[^\W\d_]++|[{_marks()}]++)++"
_ALPHABETIC_WORD = re.compile(rf"{_LETTERS}(?:-{_LETTERS})*")
_ASCII_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
# What is not text: control characters but white space, soft hyphens, byte order marks, non-characters, surrogates.
_NOT_TEXT = re.compile("[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\ufeff\ufffe\uffff\ud800-\udfff]")


@dataclass(slots=True, frozen=True)
class TextBlock:
    """A textual block and what algorithms ask of it; words are white-space separated unless named otherwise."""

    text: str  # white space folded to single spaces
    tag: str  # the block-level element the text stands in; "body" if in none
    heading: bool  # inside h1 … h6
    in_select: bool
    words: int
    link_words: int  # words with a character inside <a>
    alphabetic_words: int
    stop_words: int

    @property
    def link_density(self) -> float:
        """The share of words inside links."""
        return self.link_words / self.words

    @property
    def stopword_density(self) -> float:
        """The share of stop words among the alphabetic words; 0 if there are none."""
        return self.stop_words / self.alphabetic_words if self.alphabetic_words else 0.0


@dataclass(slots=True, frozen=True)
class SegmentedPage:
    """A page's title and its textual blocks in document order; none is empty."""

    title: str
    blocks: list[TextBlock]


def clean(text: str) -> str:
    """Folds white space to single spaces and takes out what is not text."""
    return " ".join(_NOT_TEXT.sub("", text).split())


def alphabetic_words(text: str) -> list[str]:
    """The longest sequences of letters and marks, hyphenated ones whole."""
    return (_ASCII_WORD if text.isascii() else _ALPHABETIC_WORD).findall(text)


def segment(root: etree._Element | None, stop_words: Collection[str]) -> SegmentedPage:
    """Cuts a page at block-level elements and at two or more <br> in a row.

    Args:
        root: the tree of html.parse; None gives a page without blocks.
        stop_words: forms to count, matched as they stand (a set).
    """
    if root is None:
        return SegmentedPage("", [])
    title = root.find(".//title")
    walk = _Walk(stop_words)
    walk.run(root)
    return SegmentedPage(clean("".join(title.itertext())) if title is not None else "", walk.blocks)


class _Walk:
    """One pass over the tree; gathers the pieces of the block that is open."""

    def __init__(self, stop_words: Collection[str]) -> None:
        self.blocks: list[TextBlock] = []
        self._stop_words = stop_words
        self._tags = ["body"]
        self._links = self._headings = self._selects = 0
        self._breaks = 0
        self._start()

    def _start(self) -> None:
        self._pieces: list[str] = []
        self._linked: list[bool] = []
        self._tag = self._tags[-1]
        self._heading = self._headings > 0
        self._in_select = self._selects > 0

    def run(self, root: etree._Element) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            tag = element.tag
            if event == "start":
                if tag in REMOVED_TAGS:
                    walk.skip_subtree()
                else:
                    self._open(tag)
                    self._add(element.text)
            else:
                if tag not in REMOVED_TAGS:
                    self._close(tag)
                self._add(element.tail)
        self._flush()

    def _open(self, tag: str) -> None:
        if tag in BLOCK_TAGS:
            self._tags.append(tag)
            self._headings += tag in HEADINGS
            self._flush()
        elif tag == "br":
            self._breaks += 1
            if self._breaks == 2:
                self._flush()
            else:
                self._append(" ")
        elif tag == "a":
            self._links += 1
        elif tag == "select":
            self._selects += 1
            self._flush()

    def _close(self, tag: str) -> None:
        if tag in BLOCK_TAGS:
            self._tags.pop()
            self._headings -= tag in HEADINGS
            self._flush()
        elif tag == "a":
            self._links -= 1
        elif tag == "select":
            self._selects -= 1
            self._flush()

    def _add(self, text: str | None) -> None:
        if text:
            if self._breaks and not text.isspace():
                self._breaks = 0
            self._append(text)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._linked.append(self._links > 0)

    def _flush(self) -> None:
        """Ends the block that is open; what comes next belongs to the element now innermost."""
        if self._pieces:
            text = clean("".join(self._pieces))
            if text:
                self.blocks.append(self._count(text))
        self._start()

    def _count(self, text: str) -> TextBlock:
        alphabetic = alphabetic_words(text)
        return TextBlock(
            text=text,
            tag=self._tag,
            heading=self._heading,
            in_select=self._in_select,
            words=text.count(" ") + 1,
            link_words=self._count_link_words(),
            alphabetic_words=len(alphabetic),
            stop_words=sum(word in self._stop_words for word in alphabetic),
        )

    def _count_link_words(self) -> int:
        """Words of the open block with a character inside <a>."""
        if True not in self._linked:
            return 0
        count, inside_word, counted = 0, False, False
        for piece, linked in zip(self._pieces, self._linked, strict=True):
            piece = _NOT_TEXT.sub("", piece)
            if not piece:
                continue
            words = piece.split()
            continues = inside_word and not piece[0].isspace()
            if linked:
                count += len(words) - (continues and counted and bool(words))
            inside_word = not piece[-1].isspace()
            if inside_word:
                only_continued = continues and len(words) == 1
                counted = linked or (only_continued and counted)
        return count
