"""Says what stands in a corpus in place of personal data, and puts it into texts and their lines of the vertical."""

import hashlib
import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from corpusprep._native.unicode import casefold, nfc, upper
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.text.vertical import GLUE, unescape

#: How personal data is replaced.
WAYS = ("label", "hash", "made_up")
_GLUE = GLUE.rstrip()
_SENTENCE = re.compile(rb"</?s[ >].*")
_BETWEEN = re.compile(r"[\s\u200b]*")


class Place(NamedTuple):
    """A place in a text, and what replaces it: code points [start, end), a word."""

    start: int
    end: int
    word: str


class Replacer:
    """Makes the words that stand in place of personal data: without white space, the same for the same value."""

    def __init__(self, way: str = "label", key: str = "") -> None:
        """Takes one of WAYS, and the path of a file with a secret, which decides about all but labels.

        Raises:
            ConfigError: the file cannot be read, or is empty.
        """
        self._way = way
        self._secret = b"" if way == "label" else read_key(key)

    def word(self, kind: str, value: str) -> str:
        """Returns what replaces a value of a kind (rules.KINDS).

        >>> Replacer().word("email", "info@example.org")
        '[EMAIL]'
        """
        if self._way == "label":
            return f"[{upper(kind)}]"
        message = f"{kind}:{canonical(kind, value)}".encode("utf-8", "replace")
        digest = hashlib.blake2b(message, key=self._secret, digest_size=16).digest()
        if self._way == "hash":
            return f"[{upper(kind)}_{digest.hex()[:16]}]"
        digits = f"{int.from_bytes(digest):040}"
        match kind:
            case "email":
                return f"user{digits[-10:]}@example.org"  # RFC 2606
            case "phone":
                return f"+999{digits[-9:]}"  # no country has the code 999 (ITU-T E.164)
            case "ip" if ":" in value:
                return f"2001:db8::{digest.hex()[:4]}:{digest.hex()[4:8]}"  # RFC 3849
            case "ip":
                return f"{('192.0.2', '198.51.100', '203.0.113')[digest[0] % 3]}.{digest[1]}"  # RFC 5737
            case "iban":
                return f"{upper(value[:2])}00{digits[-16:]}"  # 00 are no check digits (ISO 7064)
            case "card":
                return f"0000{digits[-12:]}"  # no bank has it (ISO/IEC 7812)
        return f"000000-{digits[-4:]}"


def read_key(path: str) -> bytes:
    """Returns the digest of a file with a secret.

    Raises:
        ConfigError: no file is named, it cannot be read, or it is empty.
    """
    if not path:
        raise ConfigError("hash and made_up need the path of a file with a secret, such as 32 random bytes")
    try:
        secret = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: the key cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not secret.strip():
        raise ConfigError(f"{path}: the file of the key is empty; write a secret into it")
    return hashlib.sha256(secret).digest()


def canonical(kind: str, value: str) -> str:
    """Returns a value without what writes it in another way: spaces and marks of numbers, case, hidden signs.

    >>> canonical("phone", "+49 (0)30/123-45") == canonical("phone", "0049 30 12345")
    True
    >>> canonical("email", "Info (at) example [dot] org")
    'info@example.org'
    """
    value = casefold(nfc(value))
    if kind == "email":
        value = re.sub(r" ?[(\[{](?:at|ät)[)\]}] ?", "@", value)
        return re.sub(r" ?[(\[{](?:dot|punkt|point|punto)[)\]}] ?", ".", value)
    if kind == "ip":
        return value
    if kind == "phone":
        value = value.replace("(0)", "")
    characters = re.sub(r"[^0-9a-z]", "", value)  # numbers have ASCII digits and letters only
    if kind == "phone" and (value.lstrip("(").startswith("+") or characters.startswith("00")):
        return f"+{characters.removeprefix('00')}"
    return characters


def replaced_text(text: str, places: Sequence[Place]) -> str:
    """Returns a text with words in place of its places, which are in order and do not overlap.

    >>> replaced_text("from a@b.de on", [Place(5, 11, "[EMAIL]")])
    'from [EMAIL] on'
    """
    parts, end = [], 0
    for place in places:
        parts += [text[end : place.start], place.word]
        end = place.end
    return "".join([*parts, text[end:]])


def replaced_lines(lines: bytes, text: str, places: Sequence[Place]) -> bytes:
    """Returns the lines of a block of the vertical with one token in place of each place in the text of the block.

    What a tagger has said of a token that changes becomes `_`. Ends of sentences inside a place go.

    Raises:
        StageFileError: the tokens are not those of the text.
    """
    written: list[bytes] = []
    waiting: list[bytes] = []  # structures since the last token that was written
    left = list(places)[::-1]
    position = 0
    for line in lines.split(b"\n"):
        if not line or (line.startswith(b"<") and line.endswith(b">")):
            waiting.append(line)
            continue
        form, *columns = line.split(b"\t")
        token = unescape(form.decode("utf-8", "replace"))
        match = _BETWEEN.match(text, position)
        start = match.end() if match else position
        if not text.startswith(token, start):
            raise StageFileError(f"the token {token[:40]!r} is not that of the text, {text[start : start + 40]!r}")
        inside = bool(left) and left[-1].start < position  # a place has begun in an earlier token
        position = end = start + len(token)
        if not left or left[-1].start >= end:
            written += [*waiting, line]
            waiting = []
            continue
        parts: list[str] = []
        if inside:  # the word of this place is written
            waiting = [each for each in waiting if each != _GLUE and not _SENTENCE.fullmatch(each)]
            if left[-1].end > end:
                continue
            start = left.pop().end
            if start < end:
                waiting.append(_GLUE)
        while left and left[-1].start < end:
            parts += [text[start : left[-1].start], left[-1].word]
            start = min(end, left[-1].end)
            if left[-1].end > end:
                break
            left.pop()
        changed = "".join([*parts, text[start:end]])
        if changed:
            written += [*waiting, b"\t".join([html.escape(changed, quote=False).encode(), *[b"_"] * len(columns)])]
            waiting = []
    return b"\n".join([*written, *waiting])
