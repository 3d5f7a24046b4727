"""Reading in chunks."""

from hypothesis import given
from hypothesis import strategies as st

from corpusprep.io.files import lines_of


@given(st.lists(st.lists(st.sampled_from([b"a", b"\r", b"\n"]), max_size=5).map(b"".join), max_size=6))
def test_lines_are_those_of_the_joined_chunks(chunks: list[bytes]) -> None:
    """Wherever chunks end."""
    lines = b"".join(chunks).split(b"\n")
    assert list(lines_of(chunks)) == (lines if lines[-1] else lines[:-1])


def test_a_line_of_very_many_chunks_is_read_in_linear_time() -> None:
    """As a damaged file may have it."""
    assert sum(map(len, lines_of(b"x" * 1000 for _ in range(100_000)))) == 100_000_000
