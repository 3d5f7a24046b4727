"""Reads lists of addresses, such as search engines give: cleans them, and leaves out what stands twice."""

import csv
import gzip
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from corpusprep.errors import ConfigError
from corpusprep.io import named_files

#: Parameters that say where a visitor came from; the page is the same without them.
TRACKING = ("fbclid", "gclid", "dclid", "msclkid", "mc_cid", "mc_eid", "igshid", "yclid")
_TRACKING_PREFIX = "utm_"
#: Parameters of sessions, in the query or behind a `;` in the path: the page is the same, its address is new at each
#: visit (Heritrix's rules of canonicalization, and widespread shops and forums).
SESSIONS = ("phpsessid", "jsessionid", "sessionid", "session_id", "sessid", "cfid", "cftoken", "oscsid", "zenid")
_SESSION_PREFIX = "aspsessionid"
#: Names of sessions that also name other things, such as a story: they are sessions if their value is like one.
_MAYBE_SESSIONS = ("sid", "s", "session", "sess")
_SESSION_VALUE = re.compile(r"[0-9a-f]{16,}|(?=[a-z,-]*[0-9])[0-9a-z,-]{24,}", re.IGNORECASE)
_IN_PATH = re.compile(
    rf";(?:{'|'.join(SESSIONS)}|sid)=[^;/?#]*"
    r"|/\((?:[a-z]\([0-9a-z_-]{16,}\))+\)(?=/)",  # of ASP.NET: /(S(lit3py55t21z5v55vlm25s55))/
    re.IGNORECASE,
)
_PORTS = {"http": "80", "https": "443"}
_SAFE = "/:@!$&'()*+,;=~%-._[]"


def normal_url(text: str) -> str | None:
    """Returns an address in its usual form; None if the text is none.

    Scheme and host are in lower case, hosts in their ASCII form. The usual port, the part after `#` and what
    `without_visit` leaves out are not there. An address without a scheme gets `http://`.

    >>> normal_url("HTTPS://Example.ORG:443/a b?utm_source=x&id=2#top")
    'https://example.org/a%20b?id=2'
    """
    text = text.strip().strip("<>\"'")
    if "://" not in text.partition("/")[0] + "//":
        text = f"http://{text}"
    if "://" not in text:
        text = f"http://{text}"
    try:
        parts = urlsplit(text)
        name = (parts.hostname or "").encode("idna").decode() if not text.isascii() else parts.hostname or ""
        port = parts.port
    except (ValueError, UnicodeError):
        return None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS or "." not in name.strip(".") or any(character in name for character in " _%\\\t"):
        return None
    place = name.strip(".") + (f":{port}" if port and str(port) != _PORTS[scheme] else "")
    path, query = quote(parts.path or "/", safe=_SAFE), quote(parts.query, safe=_SAFE + "?")
    return without_visit(urlunsplit((scheme, place, path, query, "")))


def without_visit(url: str) -> str:
    """Returns an address without parameters of a visit: sessions, and where a visitor came from.

    >>> without_visit("http://a.example/t.php;jsessionid=1F?t=5&sid=0123456789abcdef&utm_source=x")
    'http://a.example/t.php?t=5'
    >>> without_visit("http://a.example/story.php?sid=2024&s=winter")
    'http://a.example/story.php?sid=2024&s=winter'
    """
    address, mark, query = url.partition("?")
    address = _IN_PATH.sub("", address)
    parameters = query.split("&")
    kept = [parameter for parameter in parameters if not _is_of_visit(*parameter.partition("=")[::2])]
    return f"{address}{mark if kept else ''}{'&'.join(kept)}"


def _is_of_visit(name: str, value: str) -> bool:
    name = name.lower()
    if name in TRACKING or name in SESSIONS or name.startswith((_TRACKING_PREFIX, _SESSION_PREFIX)):
        return True
    return name in _MAYBE_SESSIONS and _SESSION_VALUE.fullmatch(value) is not None


def read(paths: Iterable[Path | str]) -> list[str]:
    """Returns the addresses in lists, each once, in their order. `-` is standard input; lists may be compressed (.gz).

    The address is the first field of a line that is one: tables with tabs or commas are taken. Empty lines and lines
    that start with `#` are left out. Lines without an address are left out and counted on standard error.

    Raises:
        ConfigError: a list cannot be read, or there is no address.
    """
    urls: dict[str, None] = {}
    first, without = "", 0
    for path in paths:
        for number, line in enumerate(_lines(str(path)), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            url = _first_url(line)
            if url is None:
                first = first or f"{path}, line {number}: {line.strip()[:60]!r}"
                without += 1
            else:
                urls[url] = None
    if not urls:
        raise ConfigError(f"{', '.join(map(str, paths))}: no address; give a list with one per line")
    if without:
        print(f"{first} is no address; left out: {without:,} such lines", file=sys.stderr)
    return list(urls)


def _first_url(line: str) -> str | None:
    """Returns the first address among the fields of a line, which tabs or commas separate."""
    line = line.strip()
    if "\t" in line or line.lower().startswith(("http://", "https://")):
        fields = line.split("\t")
    else:
        fields = next(csv.reader([line]), [])
    named = [field for field in fields if field.strip().lstrip("<").lower().startswith(("http://", "https://"))]
    return next(filter(None, map(normal_url, named or fields[:1])), None)


def _lines(path: str) -> Iterator[str]:
    try:
        if path == "-":
            yield from sys.stdin
            return
        data = named_files.read(Path(path))
        yield from (gzip.decompress(data) if path.endswith(".gz") else data).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8; give a list of addresses, one per line") from None
    except (OSError, EOFError, zlib.error) as error:
        raise ConfigError(f"{path}: the list cannot be read: {getattr(error, 'strerror', None) or error}") from None
