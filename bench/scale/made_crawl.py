"""Makes crawls of any size from real ones: repeats their pages with words replaced at random, from a fixed seed.

The first round takes the pages as they are. Each later round replaces half of the words of the text, outside tags,
scripts and styles. Replacements are drawn from the pages, so that frequent words stay frequent. In one page in 25 only
one word in 50 is replaced: a near-duplicate of the original. The same pages and number give the same bytes.
"""

import itertools
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpusprep.archive.records import Record, records
from corpusprep.config.settings import default_page_rules
from corpusprep.tables.verdicts import KEPT

REPLACED, REPLACED_IN_NEAR_DUPLICATES = 0.5, 0.02
NEAR_DUPLICATES = 0.04
SEED = 2011
_PARTS = re.compile(rb"<(script|style)\b.*?</\1\s*>|<[^>]*>|([A-Za-z]{3,})", re.DOTALL | re.IGNORECASE)


def pages(archives: Sequence[Path]) -> list[Record]:
    """Reads all pages of the archives."""
    rules = default_page_rules()
    return [record for archive in archives for record in records(archive) if rules.verdict(record) == KEPT]


def make(source: Sequence[Record], number: int, archive_bytes: int, folder: Path) -> list[Path]:
    """Writes `number` pages as gzip WARC archives of about `archive_bytes` bytes each, and returns their paths.

    If the source has more pages, evenly spaced ones are taken.
    """
    made = _rounds(source) if number > len(source) else iter(source[:: len(source) // number])
    archives: list[Path] = []
    held: list[bytes] = []
    size = 0
    for place, page in enumerate(itertools.islice(made, number)):
        held.append(_member(page, place))
        size += len(held[-1])
        if size >= archive_bytes:
            archives.append(_write(folder, len(archives), held))
            held, size = [], 0
    if held:
        archives.append(_write(folder, len(archives), held))
    return archives


def _rounds(source: Sequence[Record]) -> Iterator[Record]:
    yield from source
    words = [match[2] for page in source[::10] for match in _PARTS.finditer(page.body) if match[2]]
    for number in itertools.count(1):
        generator = random.Random(f"{SEED} {number}")
        for page in source:
            share = REPLACED_IN_NEAR_DUPLICATES if generator.random() < NEAR_DUPLICATES else REPLACED
            yield Record(
                **{name: getattr(page, name) for name in ("number", "offset", "length", "record_type", "date")},
                url=f"{page.url}?round={number}",
                content_type=page.content_type,
                charset=page.charset,
                body=_replaced(page.body, words, share, generator),
            )


def _replaced(body: bytes, words: Sequence[bytes], share: float, generator: random.Random) -> bytes:
    chance, count = generator.random, len(words)

    def replacement(match: re.Match[bytes]) -> bytes:
        if match[2] and chance() < share:
            return words[int(chance() * count)]
        return match[0]

    return _PARTS.sub(replacement, body)


def _member(page: Record, place: int) -> bytes:
    charset = f"; charset={page.charset}" if page.charset else ""
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {page.content_type}{charset}\r\n\r\n".encode() + page.body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:corpusprep:made:{place}>\r\n"
        f"WARC-Date: {page.date}\r\nWARC-Target-URI: {page.url}\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    compressor = zlib.compressobj(6, zlib.DEFLATED, 31)
    return compressor.compress(head.encode() + http + b"\r\n\r\n") + compressor.flush()


def _write(folder: Path, number: int, members: Sequence[bytes]) -> Path:
    path = folder / f"made-{number:05}.warc.gz"
    path.write_bytes(b"".join(members))
    return path
