"""Finds the encoding that an HTML page declares (HTML Standard, 13.2.3.2: the prescan)."""

import re
from collections.abc import Callable

#: Number of bytes that are searched. Browsers search 1,024 bytes, and follow later declarations while they parse.
PRESCAN_BYTES = 4096
#: The same for a late declaration.
LATE_BYTES = 1 << 20

_META = re.compile(rb"<meta(?=[\t\n\f\r /])", re.IGNORECASE)
_TAG = re.compile(rb"</?[a-z][^\t\n\f\r >]*", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""[\t\n\f\r /]* ([^\t\n\f\r />][^\t\n\f\r /=>]*)
    (?: [\t\n\f\r ]* = [\t\n\f\r ]* (?: "([^"]*)" | '([^']*)' | (?!["'])([^\t\n\f\r >]*) ) )?""",
    re.VERBOSE,
)
#: All attributes of a tag and its end, in one match, because most tags declare nothing. An attribute without a value
#: must not be followed by an equals sign: that would be a value whose quotation mark is not closed.
_TO_TAG_END = re.compile(
    rb"""(?> [\t\n\f\r /]*+ [^\t\n\f\r />][^\t\n\f\r /=>]*+
    (?: [\t\n\f\r ]* = [\t\n\f\r ]* (?: "[^"]*" | '[^']*' | (?!["'])[^\t\n\f\r >]* ) | (?! [\t\n\f\r ]* = ) ) )*+
    [\t\n\f\r /]* >""",
    re.VERBOSE,
)
_EQUALS = re.compile(rb"[\t\n\f\r ]*=")
_CONTENT_CHARSET = re.compile(
    rb"""charset [\t\n\f\r ]* = [\t\n\f\r ]* (?: "([^"]*)" | '([^']*)' | ([^"'\t\n\f\r ;][^\t\n\f\r ;]*) )""",
    re.IGNORECASE | re.VERBOSE,
)
_XML = re.compile(rb"<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*(?:\"([^\">]*)\"|'([^'>]*)')")
#: Elements whose content is text, whatever it looks like.
_RAW = re.compile(rb"(?i:script|style|title|textarea|xmp|iframe|noembed|noframes)\Z")
_UTF16_XML = {b"<\0?\0x\0": "utf-16le", b"\0<\0?\0x": "utf-16be"}


def declared_label(data: bytes, name_of: Callable[[str], str | None], *, late: bool = False) -> str | None:
    """Returns the name of the encoding that the first `meta` with a known one declares, else the XML declaration.

    Args:
        data: the page.
        name_of: returns the name of the encoding with a label, or None.
        late: whether LATE_BYTES are searched, as browsers do while they parse: `meta` in the text of scripts and styles
            is none then.

    Returns:
        The name, or None if no known encoding is declared.
    """
    data = data[: LATE_BYTES if late else PRESCAN_BYTES]
    for start, wide in _UTF16_XML.items():
        if data.startswith(start):
            return wide
    # Only a tag with `charset` in it can declare anything.
    lower = data.lower()
    last_meta = lower.rfind(b"<meta", 0, lower.rfind(b"charset") + 1)
    position = 0
    while 0 <= (position := data.find(b"<", position)) <= last_meta:
        if data.startswith(b"<!--", position):
            # The two hyphens that open a comment may also close it.
            comment_end = data.find(b"-->", position + 2)
            if comment_end < 0:
                break
            position = comment_end + 3
        elif meta := _META.match(data, position):
            attributes, position = _attributes(data, meta.end())
            if position < 0:
                break
            if name := _declared_by(attributes, name_of):
                return name
        elif tag := _TAG.match(data, position):
            end = _TO_TAG_END.match(data, tag.end())
            if end is None:
                break
            position = end.end()
            if late and _RAW.match(tag[0], 1):
                position = lower.find(b"</" + tag[0][1:].lower(), position)
                if position < 0:
                    break
        elif data.startswith((b"<!", b"</", b"<?"), position):
            position = data.find(b">", position)
            if position < 0:
                break
        else:
            position += 1
    xml = _XML.match(data)
    return _ascii_compatible(name_of(_latin1(xml[1] or xml[2] or b""))) if xml else None


def _attributes(data: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """Returns the attributes of the tag whose name ends at `position`, and the tag's end (-1: not in these bytes)."""
    attributes: dict[bytes, bytes] = {}
    while match := _ATTRIBUTE.match(data, position):
        name, *values = match.groups()
        value = next((value for value in values if value is not None), None)
        position = match.end()
        if value is None and _EQUALS.match(data, position):
            return attributes, -1  # a quotation mark that is not closed
        attributes.setdefault(name.lower(), value or b"")
    end = data.find(b">", position)
    return attributes, -1 if end < 0 else end + 1


def _declared_by(attributes: dict[bytes, bytes], name_of: Callable[[str], str | None]) -> str | None:
    """Returns the encoding that the attributes of a `meta` declare, if it is known."""
    if b"charset" in attributes:
        return _ascii_compatible(name_of(_latin1(attributes[b"charset"])))
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    match = _CONTENT_CHARSET.search(attributes.get(b"content", b""))
    return _ascii_compatible(name_of(_latin1(match[1] or match[2] or match[3] or b""))) if match else None


def _ascii_compatible(name: str | None) -> str | None:
    """Replaces UTF-16 by UTF-8: a declaration that could be read as ASCII cannot be in UTF-16."""
    if name in ("utf-16be", "utf-16le"):
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name


def _latin1(label: bytes) -> str:
    return label.decode("latin-1")
