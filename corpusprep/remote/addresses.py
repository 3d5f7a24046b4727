"""Addresses of archives that are read where they lie: over HTTP, or in storage with the interface of S3."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path, PosixPath
from typing import Any

_ADDRESS = re.compile(r"(?:https?|s3)://")
STORAGE = "s3://"


@dataclass(frozen=True, slots=True)
class Status:
    """What a server says of a file.

    Attributes:
        size: in bytes.
        version: its entity tag, or the date of its last change; "" if the server has neither.
    """

    size: int
    version: str = ""


class Address(PosixPath):
    """The address of an archive, where paths of archives stand; a path would lose its double slashes.

    Attributes:
        url: as it was written.
        status: as a listing has told it; None: not known yet.
    """

    url: str
    status: Status | None

    def __new__(cls, url: str, status: Status | None = None) -> "Address":
        """Makes an address; `status` is what is known of the file."""
        address = super().__new__(cls, url)
        address.url, address.status = url, status
        return address

    def __init__(self, url: str, status: Status | None = None) -> None:
        if sys.version_info >= (3, 12):  # before, `__new__` does it all
            super().__init__(url)

    def with_segments(self, *parts: Any) -> Path:
        """Returns a path: what is derived from an address, such as its folder, is none."""
        return Path(*parts)

    def __str__(self) -> str:
        return getattr(self, "url", "") or super().__str__()  # Python 3.11 makes derived paths of this class

    def __fspath__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[type["Address"], tuple[str, Status | None]]:
        return Address, (self.url, self.status)


def is_address(text: str) -> bool:
    """Returns whether a text is an address of a server, not a path."""
    return _ADDRESS.match(text) is not None


def archive_path(text: str) -> Path:
    """Returns an archive's path, or its address, from the text that commands and tables have of it."""
    return Address(text) if is_address(text) else Path(text)


def place_of(url: str) -> str:
    """Returns the server of an address, or its bucket, with a slash at the end: keys of lists are paths from there on.

    >>> place_of("https://data.example/crawl/warc.paths.gz"), place_of("s3://bucket/crawl/warc.paths.gz")
    ('https://data.example/', 's3://bucket/')
    """
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/"
