"""Training pages that are made from others."""

import dataclasses
import random

from lxml.html import document_fromstring

from corpusprep.cleaners.content.training.augmentation import made_pages
from corpusprep.cleaners.content.training.members import LEAST_MEMBERS, LEAST_PARAGRAPHS, with_members
from corpusprep.cleaners.content.training.parts_of_pages import text_alone
from corpusprep.cleaners.content.training.teasers import TEASER_WORDS, TEASERS, opening
from corpusprep.gold.pages import GoldPage, GoldSet

WORDS = "\x02the ferry of town number {} came back with people and goods on a cold morning in the month of May"


def gold_set(kind: str = "article") -> GoldSet:
    """Thirty articles; their gold texts begin with a control character."""
    pages = []
    for number in range(30):
        text = (WORDS.format(number) + " and all of them were glad that it was so early this year ") * 4
        html = f"<body><div><p>{text[1:]}</p><p>{text[1:]}</p></div></body>"
        pages.append(GoldPage(f"p{number}", html, f"h{number}.example", {"": text}, kind=kind))
    return GoldSet("own", "Own", pages)


def test_made_pages_have_the_gold_and_the_site_of_their_page() -> None:
    """About two thirds of the pages are used; the articles of others are around them, linked."""
    original = gold_set()
    made = [page for page in made_pages(original, members=False) if page.name.endswith(" with teasers")]
    assert 15 <= len(made) <= 27
    by_name = {page.name: page for page in original.pages}
    for page in made:
        source = by_name[page.name.removesuffix(" with teasers")]
        assert (page.gold, page.site) == (source.gold, source.site)
        assert page.html.count("<a href") >= TEASERS[0]


def test_teasers_of_a_page_are_of_one_or_two_forms() -> None:
    """Each box has one form: what is around each headline has the same names, at the same depth."""
    for page in made_pages(gold_set(), members=False):
        if page.name.endswith(" with teasers"):
            links = [one for one in document_fromstring(page.html).iter("a") if len(one.text.split()) > 3]
            paths = {tuple(around.tag for around in link.iterancestors()) for link in links}
            assert len(links) >= TEASERS[0]
            assert 1 <= len(paths) <= 4  # of headlines, and of texts that are links, in two boxes


def test_teasers_are_whole_sentences_or_are_cut() -> None:
    """Three in ten have whole sentences, if the text has any of a length that fits."""
    draw = random.Random(1)
    sentences = [f"One{number} {'word ' * 17}end." for number in range(9)]
    openings = [" ".join(opening(" ".join(sentences).split(), draw)) for _ in range(300)]
    whole = [one for one in openings if one.startswith("One") and one.endswith("end.")]
    assert 60 <= len(whole) <= 140
    assert len(set(whole)) > 9  # from any sentence on, of one to three
    assert all(one.startswith("One0 word") for one in openings if one not in whole)
    assert {len(opening(["word"] * 99, draw)) for _ in range(300)} == set(range(TEASER_WORDS[0], TEASER_WORDS[1] + 1))


def test_articles_with_teasers_have_all_markup_of_their_page() -> None:
    """A page that is parsed again may have other blocks if attributes or scripts were left out of it before."""
    original = gold_set()
    for page in original.pages:
        page.html = page.html.replace("<p>", '<script>var a = "<b>"</script><p data-kind="news" title="a > b">')
    for page in made_pages(original, members=False):
        if page.name.endswith(" of text alone"):
            continue
        assert page.html.count('data-kind="news" title="a &gt; b"') >= 1
        assert page.html.count('var a = "<b>"') >= 1


def test_pages_without_their_text_have_the_rest() -> None:
    """Some articles are used without the container of their paragraphs, if enough else is there, and have no gold."""
    original = gold_set()
    menu = " ".join(f"menu{number}" for number in range(60))
    for page in original.pages:
        page.html = page.html.replace("<body>", f"<body><ul><li>{menu}</ul>")
    made = [page for page in made_pages(original, members=False) if page.name.endswith(" without text")]
    assert 1 <= len(made) <= 10
    assert all(page.gold == {"": ""} and menu in page.html and "ferry" not in page.html for page in made)
    for page in original.pages:
        page.html = page.html.replace("</ul>", f"</ul><div>{page.gold['']}</div>".replace("\x02", ""))
    assert not [
        page for page in made_pages(original, members=False) if page.name.endswith(" without text")
    ]  # the text is elsewhere


def test_the_same_pages_are_made_again() -> None:
    """Draws depend on the names of set and page alone; pages with lists of terms change no other."""
    pages = [dataclasses.replace(lines_page(), name=f"p{number}") for number in range(30)]
    own = GoldSet("own", "Own", pages)
    once, again, fewer = (made_pages(own, members=members) for members in (True, True, False))
    assert [page.html for page in once] == [page.html for page in again]
    assert [page.html for page in once[: len(fewer)]] == [page.html for page in fewer]
    assert all(page.name.endswith(" with members") for page in once[len(fewer) :])
    assert 2 <= len(once) - len(fewer) <= 12


def test_pages_of_text_alone_have_the_text_and_little_else() -> None:
    """About a quarter of the pages, of any kind, without what is not in the gold text; half of them in old markup."""
    original = gold_set("listing")
    menu = " ".join(f"menu{number}" for number in range(60))
    for page in original.pages:
        page.html = page.html.replace("<body>", f"<body><ul class=top><li>{menu}</ul><h1>May</h1><div hidden>x</div>")
    made = made_pages(original, members=False)
    assert 3 <= len(made) <= 12
    assert all(page.name.endswith(" of text alone") and page.gold[""][1:60] in page.html for page in made)
    assert sum("May" in page.html for page in made) == len(made)  # a word of the gold text
    assert sum(menu in page.html for page in made) < len(made) / 2
    assert sum("hidden" not in page.html for page in made) > 0


def test_a_page_whose_gold_text_is_elsewhere_is_not_used_alone() -> None:
    """Nor is one with too short a text."""
    page = gold_set().pages[0]
    assert text_alone(page, random.Random(1))
    page.gold = {"": "another text of more than twenty words " * 4}
    assert text_alone(page, random.Random(1)) is None
    page.gold = {"": "the ferry of town"}
    assert text_alone(page, random.Random(1)) is None


def lines_page(paragraphs: int = 6) -> GoldPage:
    """A page whose paragraphs have two sentences each, between a menu and a heading that are not in its gold text."""
    texts = [f"The ferry number {one} came back. Its {one} people went home in the rain." for one in range(paragraphs)]
    inside = "".join(f"<p>{text.replace('ferry', 'fer<b>ry</b><!-- no -->')}</p>\n" for text in texts)
    below = "<p>Read this too, and that, every day, for a long time.</p>"
    html = f"<body><ul><li>menu<li>more</ul><h2>May</h2><div>{inside}</div>{below}</body>"
    return GoldPage("p", html, "h.example", {"": " ".join(texts)})


def test_paragraphs_become_lists_of_terms() -> None:
    """All forms occur; no word of the page is lost, and what is not in the gold text stays as it is."""
    page = lines_page()
    text = "".join(str(document_fromstring(page.html).xpath("string()")).split())
    boxes, linked = set(), 0
    for number in range(60):
        made = with_members(page, random.Random(number))
        assert made is not None
        tree = document_fromstring(made)
        assert "".join(str(tree.xpath("string()")).split()) == text
        left = [one.text_content() for one in tree.iter("p")]
        assert left.pop() == "Read this too, and that, every day, for a long time."
        assert len(left) <= 2
        (box,) = [one for one in tree.iter("dl", "table", "ul") if "ferry" in one.text_content()]
        assert "menu" not in box.text_content()
        members = box.findall(".//dt") or box.findall(".//tr") or box.findall("li")
        assert len(members) in {6 - len(left), 12 - 2 * len(left)}  # whole paragraphs, or sentences
        boxes.add((box.tag, len(box.findall(".//td")) // len(members)))
        linked += box.find(".//a") is not None
    assert boxes == {("dl", 0), ("table", 2), ("table", 1), ("ul", 0)} | ({("table", 1)} & boxes)
    assert 30 <= linked <= 58


def test_pages_with_few_paragraphs_of_their_gold_text_have_no_lists() -> None:
    """Nor have short texts, texts that are elsewhere, and pages that cannot be parsed."""
    assert with_members(lines_page(LEAST_PARAGRAPHS), random.Random(1)) is None  # a short text
    page = lines_page()
    page.gold = {"": "another text of more than sixty words, none of them in the page " * 9}
    assert with_members(page, random.Random(1)) is None
    page.html = ""
    assert with_members(page, random.Random(1)) is None
    few = lines_page()
    few.html = few.html.replace("<p>", "", 4).replace("</p>", " ", 4)
    assert with_members(few, random.Random(1)) is None
    assert LEAST_MEMBERS > 2  # two paragraphs may stay


def test_characters_that_no_element_can_have_become_spaces() -> None:
    """Pages have them; a page that is parsed again has them no more."""
    page = lines_page()
    page.html = page.html.replace("came", "came\x02").replace("\n", "\x0btail ")
    for number in range(9):
        made = with_members(page, random.Random(number))
        assert made is not None
        assert made.count("tail") == 6
        assert "came " in made


def test_lists_of_products_and_pages_without_a_body_are_not_used_as_articles() -> None:
    """On pages of other kinds teasers may be the content; a page that has no body is left as it is."""
    assert all(page.name.endswith(" of text alone") for page in made_pages(gold_set("listing"), members=False))
    empty = gold_set()
    for page in empty.pages:
        page.html = ""
    assert made_pages(empty, members=False) == []
