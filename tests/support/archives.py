"""Archives of a few pages."""

import gzip

PROSE = (
    "When the river rose in the spring of that year, the people of the village carried what they could to the "
    "church on the hill, and it was there that most of them first heard of the plan to move the whole of the "
    "street to the other side of the valley, where the ground was higher and the water had never been seen. "
)


def warc_record(url: str, body: bytes, date: str = "2024-01-01T00:00:00Z") -> bytes:
    """One gzip member with a response."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
        f"WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", mtime=0)
