"""Reads a user's own list of words that are one token each (`tokens: {words: file}`)."""

from pathlib import Path

from corpusprep.errors import ConfigError, LanguageError
from corpusprep.text.tokenizer import Tokenizer


def read_words(name: str | None) -> list[str]:
    """Returns the words of a file in UTF-8, one per line; none without a file.

    Raises:
        ConfigError: the file cannot be read, or a line is no word; names the line.
    """
    if not name:
        return []
    path = Path(name)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot read the words: {getattr(error, 'strerror', None) or error}") from None
    words = []
    for number, line in enumerate(lines, start=1):
        if word := line.strip():
            try:
                Tokenizer(words=[word])
            except LanguageError as error:
                raise ConfigError(f"{path}: line {number}: {error}; give one word per line") from None
            words.append(word)
    return words
