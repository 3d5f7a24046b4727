"""Tokenising text (native/text/tokenizer.hpp). `corpusprep.text.tokenizer` is its public face."""

from collections.abc import Iterable

class NativeTokenizer:
    """A tokeniser of one language; every rule is UTF-8 of 1 to 64 bytes, or ValueError."""

    def __init__(
        self, abbreviations: list[bytes], clitic_prefixes: list[bytes], clitic_suffixes: list[bytes]
    ) -> None: ...
    def spans(self, text: bytes) -> list[tuple[int, int, bool]]:
        """(begin, end, glued) of each token, in bytes of `text`, which may be any bytes."""

    def vertical(self, texts: Iterable[str], headings: Iterable[bool]) -> tuple[bytes, list[int]]:
        """Vertical lines of a document's blocks (`<p heading="0|1">`, tokens, `</p>`), and tokens a block.

        Raises:
            UnicodeEncodeError: a text holds a lone surrogate.
            ValueError: not as many texts as flags.
        """
