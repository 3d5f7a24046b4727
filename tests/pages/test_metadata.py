"""What a page says about itself: fields, their sources, and which source comes first."""

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.pages import html
from corpusprep.pages.metadata import FIELDS, Metadata, page_metadata
from corpusprep.tables import schemas

URL = "https://news.example/2024/10/15/cats"


def said(head: str, body: str = "", url: str = URL, crawled: str = "2024-12-01T00:00:00Z") -> Metadata:
    """What a page says."""
    return page_metadata(html.parse(f"<html><head>{head}</head><body>{body}<p>Text.</p></body></html>"), url, crawled)


def linked(**values: Any) -> str:
    """A script with an article."""
    return f'<script type="application/ld+json">{json.dumps({"@type": "NewsArticle"} | values)}</script>'


def meta(name: str, value: str) -> str:
    """An element."""
    return f'<meta property="{name}" content="{value}">'


def test_all_fields() -> None:
    """Each from one of the sources, and which."""
    head = (
        '<link rel="canonical" href="/cats"><link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'
        + meta("og:title", "Cats | The Site")
        + meta("og:site_name", "The Site")
        + meta("og:type", "article")
        + meta("article:published_time", "2024-10-15T12:00:00Z")
        + meta("og:locale", "en_gb")
        + '<meta name="author" content="By Ann Bee and Cy Dee">'
    )
    found = said(head, '<time class="updated" datetime="2024-10-16">')
    assert asdict(found) == {
        "published": "2024-10-15T12:00:00Z",
        "modified": "2024-10-16",
        "author": "Ann Bee; Cy Dee",
        "headline": "Cats",
        "site": "The Site",
        "declared_language": "en-GB",
        "canonical": "https://news.example/cats",
        "page_type": "article",
        "licence": "https://creativecommons.org/licenses/by/4.0/",
        "sources": "published=opengraph modified=time author=meta headline=opengraph site=opengraph"
        " declared_language=opengraph canonical=link page_type=opengraph licence=link",
        "rights": "",
    }


def test_the_columns_of_the_table_are_the_fields() -> None:
    """In their order."""
    assert schemas.PAGE_METADATA == FIELDS
    assert tuple(schemas.CORPUS)[-len(FIELDS) - 2 :] == (*FIELDS, "truncated", "meta")


def test_sources_of_dates_in_order() -> None:
    """JSON-LD, OpenGraph, other meta, microdata, time, then the address."""
    parts = [
        ("json-ld", linked(datePublished="2024-01-01"), ""),
        ("opengraph", meta("article:published_time", "2024-01-02"), ""),
        ("meta", meta("dc.date", "2024-01-03"), ""),
        ("microdata", "", '<b itemprop="datePublished" content="2024-01-04">'),
        ("time", "", '<time class="entry-date" datetime="2024-01-05">'),
    ]
    for place, (source, *_) in enumerate(parts):
        found = said("".join(head for _, head, _ in parts[place:]), "".join(body for *_, body in parts[place:]))
        assert (found.published, found.sources.split()[0]) == (f"2024-01-0{place + 1}", f"published={source}")
    assert (said("").published, said("").sources) == ("2024-10-15", "published=url")
    assert said("", url="https://a.example/").published == ""


def test_a_date_after_the_crawl_is_left_out() -> None:
    """The next source is asked; without the date of the crawl, any date can be."""
    head = linked(datePublished="2030-01-01") + meta("date", "2024-01-01")
    assert said(head).published == "2024-01-01"
    assert said(head, crawled="").published == "2030-01-01"


def test_an_author_that_is_only_the_site_comes_last() -> None:
    """A byline is better; without one, it is that of the page."""
    head = linked(author={"name": "The Site"}, publisher={"name": "The Site"})
    assert said(head).author == "The Site"
    found = said(head, '<div class="c-byline__author">von Ann Bee</div>')
    assert (found.author, "author=byline" in found.sources) == ("Ann Bee", True)


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ann Bee, Cy Dee und Ed Eff", "Ann Bee; Cy Dee; Ed Eff"),
        ("Bee, Ann", "Bee, Ann"),
        ("https://a.example/ann", ""),
        ("ann@a.example", ""),
        ("Ann Bee | Cy Dee", "Ann Bee; Cy Dee"),
        ("Ann Bee (ab)", "Ann Bee"),
        ("12", ""),
    ],
)
def test_names_of_authors(written: str, names: str) -> None:
    """Divided at separators and between whole names; addresses are none."""
    assert said(f'<meta name="author" content="{written}">').author == names


@pytest.mark.parametrize(
    "written",
    [
        'By <a href="/people/ann">Ann Bee</a> <time>14 November 2013</time>',
        "Posted by Ann Bee on March 3rd, 2014 at 10:15 am",
        "Ann Bee | 3.5.2014",
        "Ann Bee, 2014-05-03 12:30",
        "Ann Bee - Mon, 3 May 2014 10:00 GMT",
        "3 May 2014, by Ann Bee",
        "Published on 3rd of May 2014 by Ann Bee",
        "von Ann Bee am 3. Mai 2014, 12:30 Uhr",
        "Par Ann Bee, publié le 3 mai 2014 à 10:00",
        "Por Ann Bee el 3 de mayo de 2014",
        "Ann Bee · 5 min read",
        "Ann Bee (3 days ago) 12 comments",
        "Updated 03/05/14 Ann Bee",
        "May 3, 2014 Ann Bee",
    ],
)
def test_dates_beside_names_are_no_part_of_them(written: str) -> None:
    """Nor are times and numbers of comments."""
    assert said("", f'<div class="byline">{written}</div>').author == "Ann Bee"


def test_numbers_of_names_stay() -> None:
    """Names of users have some."""
    for name in ("ann1985", "Agent 47", "50 Cent", "Ann van 't Day", "Ann-Monday May", "Minh Le", "Kim On"):
        assert said(f'<meta name="author" content="{name}">').author == name


def test_licences() -> None:
    """Links and marks of Creative Commons; a claim of copyright is no licence."""
    assert said('<meta name="rights" content="All under CC BY-SA 4.0">').licence == "CC BY-SA 4.0"
    assert said('<meta name="copyright" content="(c) The Site">').licence == ""
    assert said("", '<a rel="license" href="//creativecommons.org/licenses/by/3.0/">x</a>').licence.startswith(
        "https://c"
    )
    assert said('<link rel="license" href="javascript:x">').licence == ""


def test_marks_for_robots() -> None:
    """Words that are known, each once; a reservation of text and data mining."""
    head = '<meta name="robots" content="NOINDEX, max-snippet:-1, noai"><meta name="robots" content="noai">'
    assert said(head + meta("tdm-reservation", "1")).rights == "noai@meta noindex@meta tdm-reservation@meta"
    assert said(meta("tdm-reservation", "0") + '<meta name="robots" content="all">').rights == ""


@pytest.mark.parametrize(
    ("written", "code"), [("DE-de", "de-DE"), ("zh_hant_tw", "zh-Hant-TW"), ("x", ""), ("de,en", "de")]
)
def test_declared_languages(written: str, code: str) -> None:
    """Codes in their usual case."""
    assert said(f'<meta name="language" content="{written}">').declared_language == code


def test_long_values() -> None:
    """Texts are cut, addresses are left out."""
    found = said(meta("og:title", "x " * 4000) + f'<link rel="canonical" href="/{"x" * 3000}">')
    assert (len(found.headline), found.canonical) == (299, "")


_KEYS = ("datePublished", "dateModified", "headline", "name", "inLanguage", "license", "author", "publisher", "@type")


@pytest.mark.parametrize("key", _KEYS)
@pytest.mark.parametrize(
    "broken", ["\ud800", "x\udfff", "2024-10-15\ud800", "https://a.example/\udc00", "creativecommons.org/\ud800"]
)
def test_a_lone_surrogate_in_any_field_is_left_out(key: str, broken: str) -> None:
    """JSON can write a half of a character. A table with it cannot be stored."""
    values = {"headline": "Cats", "author": "A B"} | {key: [broken, "Article"] if key == "@type" else broken}
    found = asdict(said(linked(**values)))
    assert found["sources"]
    for value in found.values():
        value.encode()


def test_a_page_without_a_tree_says_nothing() -> None:
    """All fields are empty."""
    assert page_metadata(None) == Metadata()


@given(st.text(max_size=60), st.sampled_from(["author", "date", "og:title", "og:url", "robots", "license", "language"]))
def test_any_value_gives_texts_on_one_line(value: str, name: str) -> None:
    """Without characters that nobody sees."""
    escaped = value.replace("&", "&amp;").replace('"', "&quot;")
    found = asdict(said(meta(name, escaped), url=value))
    assert all(text == " ".join(text.split()) for text in found.values())
