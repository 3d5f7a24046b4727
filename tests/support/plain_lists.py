"""Counts the words of lists in a text, word by word: what the kernel of listed words must give."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

_WORD = re.compile(r"[^\W\d_]+")


def plain_counts(lists: Sequence[Collection[str]], text: str) -> list[int]:
    """Returns for each list the running words of a text that it has."""
    words = Counter(_WORD.findall(text))
    return [sum(words[word] for word in set(words) & set(listed)) for listed in lists]


def plain_sample(blocks: Sequence[tuple[str, bool]], most_bytes: int, least_characters: int) -> str:
    """Returns the beginning of a page's preferred blocks, or of all if these have too few characters."""

    def beginning(texts: Sequence[str]) -> str:
        return "\n".join(texts).encode()[:most_bytes].decode("utf-8", "ignore")

    found = beginning([text for text, preferred in blocks if preferred])
    return found if len(found) >= least_characters else beginning([text for text, _ in blocks])
