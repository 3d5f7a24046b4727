"""Markdown of extracted pages."""

import dataclasses

import pytest

from corpusprep import extract
from corpusprep.extraction.extracted import Extraction


def kept(page: str, url: str = "") -> Extraction:
    """Returns a page all of whose blocks count as good."""
    extraction = extract(page, "en", "justext", url=url, links=bool(url))
    extraction[:] = [dataclasses.replace(block, label="good") for block in extraction]
    return extraction


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<h2>Title</h2><p>One</p><p>Two</p>", "## Title\n\nOne\n\nTwo"),
        ("<h3><div>Deep</div></h3>", "### Deep"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul><p>d", "- a\n- b\n    - c\n\nd"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n    b"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n\n> > b"),
        ("<pre>x = 1\n  y\n</pre>", "```\nx = 1\n  y\n```"),
        ("<pre>```\n</pre>", "````\n```\n````"),
        ("<p>use <code>a`b</code> now", "use ``a`b`` now"),
        ("<table><tr><th>a<th>b<tr><td>1<td>2|3</table>", "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |"),
        ("<table><tr><td>only</table>", "only"),
        ("<p># no heading</p><p>1. no item</p><p>- no", "\\# no heading\n\n1\\. no item\n\n\\- no"),
        ("<p>a &lt;b&gt; c &lt; d", "a \\<b> c < d"),
        ("<p>a<a href='/x'>b</a>", "ab"),
    ],
)
def test_form(page: str, expected: str) -> None:
    """Each element has its form."""
    assert kept(page).markdown == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>see <a href='/x y'>the <b>page</b></a>.", "see [the page](https://a.example/x%20y)."),
        ("<p><a href='b(1)'><code>f</code></a>", "[`f`](https://a.example/b%281%29)"),
        ("<p><a href='a'>a</a><a href='b'>b</a>", "[a](https://a.example/a)[b](https://a.example/b)"),
        ("<p><a href='javascript:void(0)'>a</a>", "a"),
        ("<a href='/x'><p>a</p><p>b</p></a>", "[a](https://a.example/x)\n\n[b](https://a.example/x)"),
        ("<p><a href='http://[::1'>a</a>", "a"),
        ("<p>ž<a href='/é'>č</a>š", "ž[č](https://a.example/é)š"),
    ],
)
def test_links_are_written_if_asked_for(page: str, expected: str) -> None:
    """With their addresses in full; scripts are no addresses."""
    assert kept(page, "https://a.example/").markdown == expected


def test_bad_blocks_are_left_out() -> None:
    """As in the text."""
    page = extract("<a href=/>Home</a><h1>No</h1>", "en", "justext")
    assert (page.markdown, page.text, str(page)) == ("", "", "")


def test_metadata_is_read_with_the_address() -> None:
    """Of pages with blocks; others have none."""
    html = "<html lang=en><meta name=author content='Helen Marsh'><link rel=canonical href=/a><p>Text of a page."
    page = extract(html, url="https://a.example/b")
    assert (page.metadata.author, page.metadata.canonical) == ("Helen Marsh", "https://a.example/a")
    assert page.metadata.declared_language == "en"
    assert extract(b"").metadata.author == ""
