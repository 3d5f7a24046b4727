"""Cuts pages into blocks in plain Python: the oracle of native/pages/segmentation.hpp."""

import re
import unicodedata
from collections.abc import Collection
from itertools import compress

from lxml import etree
from support.plain_text import seen

from corpusprep.pages.segmentation import TAGS

REMOVED = {"annotation", "annotation-xml", "script", "style", "svg", "template"}
METADATA = {"base", "basefont", "bgsound", "link", "meta", "noscript", "object", "title"}
BORDER = {*TAGS[1:], "head", "select"}


class PlainSegmentation:
    """The oracle: a recursive walk that remembers for each character whether it is in a link."""

    def __init__(self, root: etree._Element | None, stop_words: Collection[str] = ()) -> None:
        self.blocks: list[tuple[str, str, int, int, int, int]] = []
        self.characters: list[tuple[str, bool]] = []
        self.breaks = 0
        self.tag = "body"
        self.stop_words = stop_words
        if root is not None:
            self.walk(root, ["body"], linked=False)
        self.flush("body")

    def flush(self, next_tag: str) -> None:
        """Ends a block."""
        kept = list(compress(self.characters, seen("".join(c for c, _ in self.characters))))
        words: list[list[tuple[str, bool]]] = [[]]
        for character, linked in kept:
            if character.isspace():
                words.append([])
            else:
                words[-1].append((character, linked))
        words = [word for word in words if word]
        if words:
            text = " ".join("".join(character for character, _ in word) for word in words)
            text = unicodedata.normalize("NFC", text)
            alphabetic = self.alphabetic(text)
            links = sum(any(linked for _, linked in word) for word in words)
            stop = sum(word in self.stop_words for word in alphabetic)
            self.blocks.append((text, self.tag, len(words), links, len(alphabetic), stop))
        self.characters, self.tag = [], next_tag

    @staticmethod
    def alphabetic(text: str) -> list[str]:
        """Longest sequences of letters and marks, joined by single hyphens."""
        spaced = "".join(c if c == "-" or unicodedata.category(c)[0] in "LM" else " " for c in text)
        return [word for run in spaced.split() for word in re.split("--+", run.strip("-")) if word]

    def add(self, text: str | None, linked: bool) -> None:
        """Text of the block that is open."""
        if text:
            if not text.isspace():
                self.breaks = 0
            self.characters.extend((character, linked) for character in unicodedata.normalize("NFC", text))

    def walk(self, element: etree._Element, tags: list[str], *, linked: bool) -> None:
        """An element, its text, its children and what follows each of them."""
        tag = str(element.tag)
        parent = element.getparent()
        if tag in REMOVED or (parent is not None and parent.tag == "head" and tag in METADATA):
            return
        inside = [*tags, tag] if tag in TAGS[1:] else tags
        if tag in BORDER:
            self.flush(inside[-1])
        if tag == "br":
            self.breaks += 1
            self.characters.append((" ", linked))
            if self.breaks == 2:
                self.flush(inside[-1])
        linked_inside = linked or tag == "a"
        self.add(element.text, linked_inside)
        for child in element:
            self.walk(child, inside, linked=linked_inside)
            self.add(child.tail, linked_inside)
        if tag in BORDER:
            self.flush(tags[-1])
