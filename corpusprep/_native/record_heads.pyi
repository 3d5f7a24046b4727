"""The heads of records and of HTTP messages as nearly all are written (record_heads.hpp)."""

def warc_head(data: bytes) -> tuple[str, str, str, bool, str, int, int] | None:
    """The head that `data` begins with: its fields, or None if it is one for the slower reader.

    Returns:
        Type, URL, date, whether that is as it should be, content type, length of the content, size of the head.
    """

def http_head(data: bytes, start: int, end: int) -> tuple[int, str, int] | None:
    """The head that the bytes from `start` to `end` begin with; None if it is one for http.parse.

    Returns:
        Status, content type, size of the head.
    """
