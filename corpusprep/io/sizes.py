"""Reads sizes as people write them: bytes (500M, 20 kB, 1.5 GiB), or tokens (100M tokens)."""

import re

from corpusprep.errors import ConfigError

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(text: str | int) -> int:
    """Returns the number of bytes that `text` means: k, M, G, T are powers of 1000; Ki, Mi, Gi, Ti powers of 1024.

    Upper and lower case mean the same, and a final B is optional.

    >>> parse_size("1G"), parse_size("20 kB"), parse_size("1.5MiB"), parse_size(4096)
    (1000000000, 20000, 1572864, 4096)

    Raises:
        ConfigError: `text` is not a size.
    """
    match = _SIZE.fullmatch(str(text).strip())
    if match and (match[2] or not match[3]):
        return int(float(match[1]) * (1024 if match[3] else 1000) ** _POWERS[match[2].lower()])
    raise ConfigError(f"{str(text)!r} is not a size; give bytes (1000000) or a unit (500k, 20 MB, 1G, 1.5 GiB)")


def parse_amount(text: str | int) -> tuple[int, bool]:
    """Returns an amount of text: a number of bytes as parse_size reads it, or of tokens; and whether it is of tokens.

    >>> parse_amount("20 kB"), parse_amount("1.5M tokens")
    ((20000, False), (1500000, True))

    Raises:
        ConfigError: `text` is neither.
    """
    number = str(text).strip().removesuffix("tokens")
    of_tokens = number != str(text).strip()
    if of_tokens and "b" in number.lower():
        raise ConfigError(f"{str(text)!r} is not a number of tokens; give one such as 100M tokens")
    return parse_size(number), of_tokens
