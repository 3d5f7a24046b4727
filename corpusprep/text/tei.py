"""Writes blocks as the body of a TEI document: headings, lists and paragraphs (TEI P5 guidelines, 4 and 3.8)."""

from collections.abc import Iterable, Iterator

#: Type of a block -> its element.
_ELEMENTS = {"h": "head", "l": "item"}


def body(blocks: Iterable[tuple[str, str, Iterable[str]]]) -> Iterator[str]:
    """Yields the content of `body`: a heading opens a `div`, items that follow each other are a `list`.

    Blocks before the first heading stand in `body` itself: in TEI, a `head` is only at the beginning of its division.

    Args:
        blocks: of each its type (`h` heading, `l` item of a list; others are paragraphs), the attributes of its
            element, each with a space before it, and its content, escaped.
    """
    in_division = in_list = False
    empty = True
    for kind, attributes, content in blocks:
        empty = False
        if in_list and kind != "l":
            yield "</list>\n"
        if kind == "h":
            yield "</div>\n<div>\n" if in_division else "<div>\n"
            in_division = True
        elif kind == "l" and not in_list:
            yield "<list>\n"
        in_list = kind == "l"
        name = _ELEMENTS.get(kind, "p")
        yield f"<{name}{attributes}>"
        yield from content
        yield f"</{name}>\n"
    yield "</list>\n" * in_list + "</div>\n" * in_division + "<p/>\n" * empty
