"""Blocks that recur on the pages of one site, in the library."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep import extract, extract_site
from corpusprep.extraction.site_blocks import shares_of_site
from corpusprep.pages import html
from corpusprep.pages.segmentation import Segmenter

PROSE = "In the evening the people of the village came down to the river and stood on the bank of it for a while. "
NOTICE = f"<p>{PROSE * 2}If you like what we write, you can have it sent to you.</p>"
PAGES = [f"<title>{day}</title><h1>Day {day}</h1><p>{PROSE * 3}It was day {day}.</p>{NOTICE}" for day in range(4)]

#: Pages as lists of (element, text): few texts, so that blocks and titles recur.
SITES = st.lists(
    st.tuples(
        st.sampled_from(["", "a", "b"]),
        st.lists(st.tuples(st.sampled_from(["h1", "p", "li"]), st.sampled_from(["a", "b", "c d"])), max_size=4),
    ),
    max_size=6,
)


def plain_shares(site: list[tuple[str, list[tuple[str, str]]]]) -> list[float]:
    """The shares of the blocks of all pages, counted with sets."""
    pages: dict[tuple[str, str], set[object]] = defaultdict(set)
    names = set()
    for title, blocks in site:
        heading = next((text for tag, text in blocks if tag == "h1"), None)
        name: object = "".join(text for _, text in blocks) if not title and heading is None else (title, heading)
        names.update([name] if blocks else [])
        for block in blocks:
            pages[block].add(name)
    found = [len(pages[block]) for _, blocks in site for block in blocks]
    return [number / len(names) if number > 1 else 0.0 for number in found]


@given(SITES)
def test_shares_are_those_of_a_plain_count(site: list[tuple[str, list[tuple[str, str]]]]) -> None:
    """Pages with one title and heading count as one; a block of one page has none."""
    segmenter = Segmenter(())
    titles = []
    for title, blocks in site:
        head = f"<title>{title}</title>" if title else "<!-- -->"
        markup = f"<html><head>{head}</head><body>{''.join(f'<{tag}>{text}</{tag}>' for tag, text in blocks)}</body>"
        titles.append(segmenter.add_page(markup, html.parse(markup)))
    assert shares_of_site(titles, segmenter.take()).tolist() == plain_shares(site)


def test_a_site_loses_its_templates() -> None:
    """From the share on, whatever the algorithm says; in any order of the pages; a single page has none."""
    found = extract_site(PAGES)
    assert [page.text for page in found] == [extract(page).text.replace(f"\n{plain(NOTICE)}", "") for page in PAGES]
    assert all(page[-1].verdict == "template" for page in found)
    assert [list(page) for page in extract_site(PAGES[::-1])] == [list(page) for page in found[::-1]]
    for pages, least_share in ((PAGES, None), ([PAGES[0]] * 4, 0.3), (PAGES[:1], 0.3)):
        assert all(page.text.endswith(plain(NOTICE)) for page in extract_site(pages, least_share=least_share))


def plain(block: str) -> str:
    """The text of a paragraph."""
    return block.removeprefix("<p>").removesuffix("</p>")


@pytest.mark.parametrize("least_share", [0, -1, 1.1, float("nan")])
def test_a_share_is_above_0(least_share: float) -> None:
    """With 0, all blocks would be templates."""
    with pytest.raises(ValueError, match=r"least_share is .+; allowed: above 0, up to 1, or None"):
        extract_site(PAGES, least_share=least_share)
