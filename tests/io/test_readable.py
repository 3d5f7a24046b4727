"""Numbers and untrusted text for people."""

import pytest

from corpusprep.io.readable import printable


@pytest.mark.parametrize("control", ["\x00", "\x1b", "\x9b", "\u202a", "\u202e", "\u2066", "\u2069", "\uffff"])
def test_characters_that_control_a_display_are_replaced(control: str) -> None:
    """Also those that would turn the direction of the text behind them."""
    assert printable(f"a{control}b", 10) == "a\ufffdb"


def test_text_in_scripts_of_both_directions_is_shown_as_it_is() -> None:
    """With tabs, line feeds and marks of direction; what is too long is cut."""
    text = "a\tb\nשלום \u200fمرحبا\u200e"
    assert printable(text, 100) == text
    assert printable("abc def", 4) == "abc …"
