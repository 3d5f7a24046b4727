"""Tokenises text (native/text/tokenizer.hpp)."""

from collections.abc import Iterable

class NativeTokenizer:
    """A tokeniser of one language. Each rule is UTF-8 of 1 to 64 bytes; others raise ValueError."""

    def __init__(
        self, abbreviations: list[bytes], clitic_prefixes: list[bytes], clitic_suffixes: list[bytes]
    ) -> None: ...
    def spans(self, text: bytes) -> list[tuple[int, int, bool]]:
        """Returns (begin, end, glued) of each token, in bytes of `text`, which may be any bytes."""

    def vertical(
        self, texts: Iterable[str], headings: Iterable[bool], numbers: Iterable[int]
    ) -> tuple[bytes, list[int]]:
        """Returns the blocks of a document as vertical lines, and the number of tokens of each block.

        The lines of a block are `<p heading="0|1" block="NUMBER">`, the tokens, escaped, and `</p>`.

        Raises:
            UnicodeEncodeError: a text contains a lone surrogate.
            ValueError: there are not as many texts, flags and numbers.
        """
