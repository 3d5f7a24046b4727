"""Answers requests from the archives of a crawl that was killed: its queue is lost, but its responses are not.

One pass over the archives notes where the response of each address is; it is read when it is asked for. Addresses are
compared in the form in which Scrapy knows duplicates.
"""

import contextlib
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from w3lib.url import canonicalize_url

from corpusprep.archive.gzip_members import GzipMembers, MemberOutcome
from corpusprep.archive.heads import WARC_HEADER_LIMIT, Head, read_head
from corpusprep.archive.http import HEADER_LIMIT
from corpusprep.archive.records import MAX_BYTES, records
from corpusprep.archive.stored_streams import StoredFile
from corpusprep.crawling.yields import is_failure
from corpusprep.errors import ArchiveError

#: The flag of a response that is in the archives already.
REPLAYED = "replayed"
_SECONDS_BETWEEN_LINES = 10.0
#: A place is the number of the archive, and the offset in it in so many bits.
_OFFSET_BITS = 48
#: Verdicts about responses whose record is whole: their bodies could not be decoded, or were too long when decoded.
_WHOLE = frozenset({None, "too_large", "bad_transfer", "bad_compression", "unknown_compression"})
_STATUS_LINE = re.compile(rb"HTTP/[0-9.]{1,8} ([0-9]{3})(?![0-9])")


class ArchivedResponses:
    """The responses in archives that are no failures, the last one of each address. They take 110 to 140 bytes each."""

    def __init__(self, archives: Sequence[Path], max_bytes: int = MAX_BYTES) -> None:
        """Reads the archives; those that cannot be read are left out, and named on standard error.

        Args:
            archives: in the order in which they were written; each record is a gzip member of its own.
            max_bytes: a longer body is not returned, if it is longer than MAX_BYTES, too.
        """
        self._archives = archives
        self._member_limit = max(max_bytes, MAX_BYTES) + HEADER_LIMIT + WARC_HEADER_LIMIT
        #: The place of a response by the digest of its address; inverted (~) after it has been asked for.
        self._places: dict[int, int] = {}
        self._robots: set[int] = set()
        last_line = time.monotonic()
        for number, archive in enumerate(archives):
            try:
                for record in records(archive, max(max_bytes, MAX_BYTES)):
                    if record.record_type == "response" and record.verdict in _WHOLE and not is_failure(record.status):
                        self._note(record.url, number << _OFFSET_BITS | record.offset)
                    if time.monotonic() - last_line >= _SECONDS_BETWEEN_LINES:
                        last_line = time.monotonic()
                        print(f"crawl: reading archive {number + 1} of {len(archives)}", file=sys.stderr, flush=True)
            except ArchiveError as error:
                print(f"crawl: {error}; its pages are fetched again", file=sys.stderr)

    @property
    def pages(self) -> int:
        """The number of addresses, robots.txt left out."""
        return len(self._places) - len(self._robots)

    def response(self, url: str, since: str = "") -> Response | None:
        """Returns the response of an address as it was transferred; None if there is none that can be read.

        Args:
            url: the address; of the response, too.
            since: the response must not be older ("YYYY-MM-DDThh:mm:ssZ").
        """
        key = _key(url)
        place = self._places.get(key) if key is not None else None
        if key is None or place is None:
            return None
        place = max(place, ~place)
        self._places[key] = ~place
        record = self._record(place)
        if record is None or record[0].date < since or _key(record[0].url) != key:
            return None
        return _response(urldefrag(url).url, record[1])

    def is_over(self, is_out: Callable[[str], bool]) -> bool:
        """Returns whether each page has been asked for, or will not be.

        Args:
            is_out: returns whether an address will not be asked for.
        """
        return all(is_out(url) for url in self._left())

    def _left(self) -> Iterator[str]:
        """Yields the addresses that have not been asked for; robots.txt is asked for in each run."""
        for key, place in self._places.items():
            if place >= 0 and key not in self._robots and (record := self._record(place)) is not None:
                yield record[0].url

    def _note(self, url: str, place: int) -> None:
        key = _key(url)
        if key is not None:
            self._places[key] = place
            if urlsplit(url).path == "/robots.txt":
                self._robots.add(key)

    def _record(self, place: int) -> tuple[Head, bytes] | None:
        """Returns the head and the content of the record at a place; None if it is not whole."""
        archive, offset = self._archives[place >> _OFFSET_BITS], place & ((1 << _OFFSET_BITS) - 1)
        try:
            with contextlib.closing(StoredFile(archive)) as stored:
                member = GzipMembers(stored.at, offset, self._member_limit)
                if member.next() is not MemberOutcome.WHOLE:
                    return None
        except ArchiveError:
            return None
        head = read_head(member.data, 0)
        if head is None or head.record_type != "response" or head.length is None:
            return None
        content = member.data[head.size : head.size + head.length]
        return (head, content) if len(content) == head.length else None


def _response(url: str, content: bytes) -> Response | None:
    """Returns the response in a record's content, which is written as `WarcFiles.exchange` does; None otherwise."""
    header, blank, body = content.partition(b"\r\n\r\n")
    status = _STATUS_LINE.match(header)
    if not blank or status is None or is_failure(int(status[1])):
        return None
    headers = Headers()
    for line in header.split(b"\r\n")[1:]:
        name, colon, value = line.partition(b":")
        if colon:
            headers.appendlist(name.strip(), value.strip())
    kind = responsetypes.from_args(headers=headers, url=url, body=body)
    return kind(url, status=int(status[1]), headers=headers, body=body, flags=[REPLAYED])


def _key(url: str) -> int | None:
    """Returns a digest of an address, of 8 bytes; None if it is no address."""
    try:
        return int.from_bytes(blake2b(canonicalize_url(url).encode(), digest_size=8).digest(), "big")
    except ValueError:
        return None
