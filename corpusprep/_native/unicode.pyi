"""Characters by one version of Unicode, 14.0, whatever Python's own is (native/text/).

Everything that decides about words, models, scores and tokens uses these functions instead of `unicodedata` and of the
methods of `str`, so the same config gives the same results under each version of Python.
"""

#: The classes of code points: general categories, but all white space is SPACE, and format characters are FORMAT.
UNASSIGNED: int
LETTER: int
MARK: int
NUMBER: int
PUNCTUATION: int
SYMBOL: int
SPACE: int
CONTROL: int
FORMAT: int

def unicode_class(code_point: int) -> int:
    """Returns the class of a code point."""

def unicode_classes() -> bytes:
    """Returns the classes of all code points, one byte each."""

def nfc(text: str) -> str:
    """Returns the text in normalisation form C, as unicodedata.normalize does."""

def nfd(text: str) -> str:
    """Returns the text in normalisation form D."""

def lower(text: str) -> str:
    """Returns the text in lower case, as str.lower does."""

def upper(text: str) -> str:
    """Returns the text in upper case, as str.upper does."""

def casefold(text: str) -> str:
    """Returns the text with case folded, as str.casefold does."""

def title(character: str) -> str:
    """Returns the character in title case, as str.title does."""

def visible(text: str) -> str:
    """Returns the text without the characters that nobody sees (native/text/visible.hpp)."""
