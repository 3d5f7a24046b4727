"""Reads lists of addresses, such as search engines give: cleans them, and leaves out what stands twice."""

import csv
import gzip
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from corpusprep.errors import ConfigError
from corpusprep.io import named_files

#: Parameters that say where a visitor came from; the page is the same without them.
TRACKING = ("fbclid", "gclid", "dclid", "msclkid", "mc_cid", "mc_eid", "igshid", "yclid")
_TRACKING_PREFIX = "utm_"
_PORTS = {"http": "80", "https": "443"}
_SAFE = "/:@!$&'()*+,;=~%-._[]"


def normal_url(text: str) -> str | None:
    """Returns an address in its usual form; None if the text is none.

    Scheme and host are in lower case, hosts in their ASCII form. The usual port, the part after `#`, and parameters
    that only say where a visitor came from are left out. An address without a scheme gets `http://`.

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
    query = parts.query
    if any(key.lower() in TRACKING or key.lower().startswith(_TRACKING_PREFIX) for key, _ in parse_qsl(query, True)):
        pairs = parse_qsl(query, keep_blank_values=True)
        query = urlencode(
            [(k, v) for k, v in pairs if k.lower() not in TRACKING and not k.lower().startswith(_TRACKING_PREFIX)]
        )
    return urlunsplit((scheme, place, quote(parts.path or "/", safe=_SAFE), quote(query, safe=_SAFE + "?"), ""))


def read(paths: Iterable[Path | str]) -> list[str]:
    """Returns the addresses in lists, each once, in their order. `-` is standard input; lists may be compressed (.gz).

    The address is the first field of a line that is one: tables with tabs or commas are taken. Empty lines and lines
    that start with `#` are left out.

    Raises:
        ConfigError: a list cannot be read, has a line without an address, or all are empty.
    """
    urls: dict[str, None] = {}
    for path in paths:
        for number, line in enumerate(_lines(str(path)), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            url = _first_url(line)
            if url is None:
                raise ConfigError(
                    f"{path}, line {number}: {line.strip()[:60]!r} is no address; correct it, or start the line with #"
                )
            urls[url] = None
    if not urls:
        raise ConfigError(f"{', '.join(map(str, paths))}: no address; give a list with one per line")
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
