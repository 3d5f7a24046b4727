"""Makes pages of given words in the markup of other pages."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from corpusprep.errors import ArchiveError
from corpusprep.languages.labelled_texts import encoded_twice

#: What no text of a language has: control characters, C1 among them, and replacement characters.
_DAMAGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]")
_MARKUP = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)


class Markup:
    """The markup of a page, with the number of words of each text between."""

    def __init__(self, page: str) -> None:
        """Splits a page into markup and text.

        Args:
            page: source of the page; comments, scripts and style sheets count as markup.
        """
        self._pieces: list[tuple[str, int]] = []
        end = 0
        for match in _MARKUP.finditer(page):
            self._add(page[end : match.start()])
            self._pieces.append((match.group(), 0))
            end = match.end()
        self._add(page[end:])

    @property
    def words(self) -> int:
        """The number of words of all texts."""
        return sum(many for _, many in self._pieces)

    def _add(self, text: str) -> None:
        if words := len(text.split()):
            self._pieces.append(("", words))

    def around(self, text: str) -> str:
        """Returns a page with this text: each place gets as many words as it had, the last place gets the rest."""
        words = text.split()
        places = [number for number, (_, many) in enumerate(self._pieces) if many]
        last = places[-1] if places else -1
        placed = 0
        parts = []
        for number, (markup, many) in enumerate(self._pieces):
            end = len(words) if number == last else placed + many
            parts.append(markup if not many else " ".join(words[placed:end]))
            placed = min(end, len(words)) if many else placed
        return "\n".join(filter(None, parts))


def sound(sentences: Iterable[str]) -> list[str]:
    r"""Returns the sentences that were decoded correctly when the set was made.

    Others have characters that no encoding is used for, or are encoded twice: a page of them in windows-1252 is valid
    UTF-8.

    >>> sound(["«Hei»", "\x93Hei\x94", "Hei \ufffd", "Ãžat"])
    ['«Hei»']
    """
    return [sentence for sentence in sentences if not _DAMAGE.search(sentence) and not encoded_twice(sentence)]


def markups(folder: Path) -> list[Markup]:
    """Returns the markup of all pages (*.html, UTF-8) with text in a folder and its subfolders, in the order of paths.

    Raises:
        ArchiveError: there are no such pages.
    """
    pages = (path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.html")))
    with_text = [Markup(page) for page in pages if _MARKUP.sub("", page).strip()]
    if not with_text:
        raise ArchiveError(f"{folder}: no pages (*.html) whose markup could be taken")
    return with_text


def made(sentences: Sequence[str], each: int, around: Sequence[Markup]) -> Iterable[str]:
    """Yields pages of `each` sentences, in one markup after the other. A last page with fewer is left out."""
    for number, start in enumerate(range(0, len(sentences) - each + 1, each)):
        yield around[number % len(around)].around(" ".join(sentences[start : start + each]))
