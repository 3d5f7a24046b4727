"""Archives whose records are gzip members (gzip_members.hpp, record_heads.hpp, crc32.hpp)."""

WHOLE: int
TOO_LONG: int
UNSOUND: int

def crc32(data: bytes) -> int:
    """The checksum of gzip, as zlib.crc32 gives it."""

def warc_head(data: bytes) -> tuple[str, str, str, bool, str, int, int] | None:
    """The head that `data` begins with: its fields, or None if it is one for the slower reader.

    Returns:
        Type, URL, date, whether that is as it should be, content type, length of the content, size of the head.
    """

def http_head(data: bytes) -> tuple[int, str, int] | None:
    """The head that `data` begins with: status, content type, size of the head; None if it is one for http.parse."""

class GzipMembers:
    """The members of a gzip file, one in memory at a time."""

    def __init__(self, descriptor: int, start: int, size: int, limit: int) -> None:
        """Those from offset `start` on of a file of `size` bytes; each may have `limit` bytes, decoded."""

    offset: int
    end: int
    def next(self) -> int:
        """Decodes the member that begins at `end`: WHOLE, TOO_LONG or UNSOUND."""

    def __len__(self) -> int:
        """Bytes that it decodes to; 0 where it is not whole."""

    def warc_head(self) -> tuple[str, str, str, bool, str, int, int] | None:
        """The head that it begins with, as the function of this name gives it."""

    def http_head(self, start: int, end: int) -> tuple[int, str, int] | None:
        """The head that its bytes from `start` to `end` begin with, as the function of this name gives it."""

    def data(self, start: int, end: int) -> bytes:
        """Its bytes from `start` to `end`, or fewer at its end."""

    def ends_blank(self, start: int) -> bool:
        """Whether it is nothing but line breaks from `start` on."""
