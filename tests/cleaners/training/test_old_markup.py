"""Pages written in old markup."""

import random
import re

import pytest

from corpusprep.cleaners.content.training.old_markup import in_old_markup

PAGE = """<html><head><title>T</title><meta charset=utf-8><style>p {}</style></head><body>
<nav><ul class=menu><li><a href=/a>Start</a></li><li><a href=/b>News</a></li></ul></nav>
<article id=main><h2>Ferries</h2> after <section><p style="color: red">The <strong>first</strong> ferry.</p> tail
<p>The <span>second</span> one.</p></section><ul><li>one <b>more</b></li><li>two more</li></ul>
<odd"name>odd</odd"name></article>
<div style="display: none">never</div><p class="sr-only x">shown</p><p hidden>nor this</p> end<script>x()</script>
</body></html>"""


def words(html: str) -> list[str]:
    """The words outside of markup, but for what marks the items of lists."""
    return [word for word in re.sub("<[^>]*>", " ", html).split() if word not in {"-", "|"}]


@pytest.mark.parametrize("seed", range(40))
def test_the_shown_text_stays_in_its_order(seed: int) -> None:
    """Whatever form is drawn; what is hidden goes, and so do classes, scripts and sections."""
    html = in_old_markup(PAGE, random.Random(seed))
    assert html is not None
    shown = "T Start News Ferries after The first ferry. tail The second one. one more two more odd end"
    assert words(html) == shown.split()
    assert not re.search("class=|id=|style|script|article|section|nav|span|strong|unwrapped|left-out", html)
    assert 'href="/a"' in html


def test_all_forms_are_drawn() -> None:
    """Of paragraphs, headings, lists and sections."""
    made = [in_old_markup(PAGE, random.Random(seed)) or "" for seed in range(60)]
    for form in (
        "<p>The",
        "<br><br>",
        "<h2>",
        "<b>Ferries<br></b>",
        "<p><b>Ferries",
        "<li>",
        "<br>- one",
        "> | ",
        "<td>",
    ):
        count = sum(form in html or form in html.replace("\n", "") for html in made)
        assert count >= 5, form
    assert in_old_markup("", random.Random(1)) is None


def test_the_same_draws_write_the_same_page() -> None:
    """No draw depends on the order of a set."""
    assert in_old_markup(PAGE, random.Random(7)) == in_old_markup(PAGE, random.Random(7))
