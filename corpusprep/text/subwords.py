"""Counts the tokens that the tokeniser of a language model makes of texts (a file `tokenizer.json`).

The library `tokenizers` does the work (an extra, imported here alone).
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from corpusprep import startup
from corpusprep.errors import ConfigError, MissingPackageError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class SubwordTokenizer:
    """The tokeniser of a language model."""

    def __init__(self, tokenizer: "Tokenizer") -> None:
        """Takes a tokeniser that cuts and pads no text."""
        self._tokenizer = tokenizer

    @classmethod
    def read(cls, path: Path) -> "SubwordTokenizer":
        """Reads a tokeniser.

        Its numbers do not depend on chance: dropout, which some models train with, is switched off.

        Raises:
            MissingPackageError: the library is not installed.
            ConfigError: the file is missing, or no tokeniser.
        """
        # All texts of a job are counted by its own thread: the number of cores is what the job was given.
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingPackageError(f"needs tokenizers: {startup.install('tokenizers')}") from None
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8"
            raise ConfigError(f"{path}: cannot be read: {reason}; give the tokenizer.json of a model") from None
        try:
            tokenizer = Tokenizer.from_str(text)
        except Exception as error:  # the library has no exception of its own
            reason = " ".join(str(error).split())[:200]
            raise ConfigError(f"{path}: not a tokeniser: {reason}; give the tokenizer.json of a model") from None
        tokenizer.no_truncation()
        tokenizer.no_padding()
        if getattr(tokenizer.model, "dropout", None):
            tokenizer.model.dropout = None
        return cls(tokenizer)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Returns the number of tokens of each text, without tokens that a model adds at its begin and end."""
        return [len(encoded) for encoded in self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)]
