"""Tokenises text (native/text/tokenizer.hpp)."""

from collections.abc import Iterable

class NativeSentences:
    """Finds sentences; `starters` are capitalised words that often start one, as UTF-8.

    `ordinals` says whether a full stop makes numbers ordinal.
    """

    def __init__(self, starters: list[bytes], ordinals: bool = False) -> None: ...
    def starts(self, tokens: Iterable[str], glued: Iterable[bool]) -> list[int]:
        """Returns the places of the tokens that start a sentence, from 0.

        Raises:
            UnicodeEncodeError: a token contains a lone surrogate.
            ValueError: a token is empty, or there are not as many tokens and flags.
        """

class NativeTokenizer:
    """A tokeniser of one language. Each rule is UTF-8 of 1 to 64 bytes; others raise ValueError.

    `numbered` are abbreviations before numbers alone; `ordinals` is empty, `small` or `any`: the letters before which a
    full stop makes a number ordinal. `apart` may hold `-` and `.`.
    """

    def __init__(
        self,
        abbreviations: list[bytes],
        clitic_prefixes: list[bytes],
        clitic_suffixes: list[bytes],
        numbered: list[bytes] = ...,
        words: list[bytes] = ...,
        joints: list[bytes] = ...,
        ordinals: str = "",
        apart: Iterable[str] = ...,
    ) -> None: ...
    def spans(self, text: bytes) -> list[tuple[int, int, bool]]:
        """Returns (begin, end, glued) of each token, in bytes of `text`, which may be any bytes."""

    def vertical(
        self,
        texts: Iterable[str],
        headings: Iterable[bool],
        numbers: Iterable[int],
        sentences: NativeSentences | None = None,
    ) -> tuple[bytes, list[int]]:
        """Returns the blocks of a document as vertical lines, and the number of tokens of each block.

        The lines of a block are `<p heading="0|1" block="NUMBER">`, the tokens, escaped, and `</p>`. With
        `sentences`, each sentence stands between `<s>` and `</s>`.

        Raises:
            UnicodeEncodeError: a text contains a lone surrogate.
            ValueError: there are not as many texts, flags and numbers.
        """
