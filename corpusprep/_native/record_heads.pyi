"""Heads of records and of HTTP messages in their usual form (native/archive/record_heads.hpp)."""

def warc_head(data: bytes) -> tuple[str, str, str, bool, str, int, int, str] | None:
    """Reads the head at the beginning of `data`.

    Returns:
        Type, URL, date, whether the date has the standard form, content type, length of the content, size of the head,
        record id; None for a head that the slower reader must read.
    """

def http_head(data: bytes, start: int, end: int) -> tuple[int, str, int] | None:
    """Reads the head at the beginning of the bytes from `start` to `end`.

    Returns:
        Status, content type, size of the head; None for a head that http.parse must read.
    """
