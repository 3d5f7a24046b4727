"""A small tokeniser of a model: bytes, and the pairs that are merged."""

from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers


def write_tokenizer(path: Path) -> Path:
    """Writes a tokeniser whose tokens are bytes of UTF-8, and `th` and `the` as one each; returns its path."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*alphabet, "th", "the"])}
    tokenizer = Tokenizer(models.BPE(vocabulary, [("t", "h"), ("th", "e")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.save(str(path))
    return path


def tokens_of(text: str) -> int:
    """Returns the number of its tokens in a text."""
    return len(text.encode().replace(b"the", b"1").replace(b"th", b"1"))
