"""The bytes of a page's text, before its encoding is known."""

#: Bytes of a page that are searched for text, and bytes of text that are compared: 200 characters tell languages apart.
SEARCHED_BYTES = 1 << 20
COMPARED_BYTES = 4_000


def text_bytes(data: bytes) -> bytes:
    """Returns the beginning of the text outside tags, of those pieces that have bytes outside ASCII: no scripts."""
    pieces: list[bytes] = []
    length = 0
    for piece in data[:SEARCHED_BYTES].split(b"<"):
        text = piece.partition(b">")[2] or piece
        if text.isascii():
            continue
        pieces.append(text[: COMPARED_BYTES - length])
        length += len(pieces[-1])
        if length >= COMPARED_BYTES:
            break
    return b" ".join(pieces)
