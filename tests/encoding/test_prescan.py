"""The two ways in which the prescan reads a tag."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpusprep.encoding import prescan

PIECES = [b"a", b"charset", b"=", b" = ", b'"', b"'", b'"x"', b"'y'", b">", b"/", b" ", b"\n", b"<", b"utf-8"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join))
@example(b' a= "x>')
@example(b" a b =c>")
@example(b' a="x"b=')
@settings(max_examples=500)
def test_tags_end_where_their_attributes_end(rest: bytes) -> None:
    """Skipping a tag ends at the same place as reading it attribute by attribute."""
    found = prescan._TO_TAG_END.match(rest)
    assert (found.end() if found else -1) == prescan._attributes(rest, 0)[1]
