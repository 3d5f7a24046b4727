"""JSON-LD of pages: what is found, and what is wrong, deep or large."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep.pages.json_ld import LinkedData

ARTICLE: dict[str, Any] = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "Cats &amp; dogs",
    "datePublished": "2024-10-15",
    "author": [{"@type": "Person", "name": "A B"}, {"@id": "#c"}],
}


def data(*values: Any) -> LinkedData:
    """The data of scripts with these values."""
    return LinkedData([json.dumps(value) for value in values])


def test_an_article() -> None:
    """Its texts, unescaped; authors by name and by reference; the publisher is the site."""
    graph = {
        "@graph": [{"@type": "WebSite", "name": "The Site"}, ARTICLE, {"@id": "#c", "@type": "Person", "name": "C D"}]
    }
    found = data(graph)
    assert found.text("headline") == "Cats & dogs"
    assert found.names("author") == ["A B", "C D"]
    assert found.publisher() == "The Site"
    assert found.type() == "NewsArticle"


def test_the_article_with_most_is_that_of_the_page() -> None:
    """Teasers have less; the page itself says what the article does not."""
    teaser = {"@type": "Article", "headline": "Teaser"}
    page = {"@type": ["WebPage"], "inLanguage": {"@type": "Language", "name": "de"}}
    found = data([teaser, page], ARTICLE)
    assert (found.text("headline"), found.text("inLanguage")) == ("Cats & dogs", "de")
    assert found.names("author") == ["A B"]


@pytest.mark.parametrize(
    "script",
    [
        '<!-- {"@type": "Article", "headline": "x"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "x"}\n//]]>',
        '/*<![CDATA[*/[{"@type": "Article", "headline": "x"}]/*]]>*/',
        '{"@type": "Article", "headline": "x",}',
        '{"@type": "Article", "headline": "x\n"}',
        '{"@type": "http://schema.org/Article", "headline": ["x", "y"]}',
    ],
)
def test_scripts_with_marks_around_and_small_faults(script: str) -> None:
    """Comments, CDATA, a comma at the end, a line break in a text."""
    found = LinkedData([script])
    assert (found.text("headline"), found.type()) == ("x", "Article")


@pytest.mark.parametrize(
    "script",
    [
        *("", "{", "null", "[]", "{}", "x", '"a"', "1" * 100_000, "[" * 100_000, '{"a":' * 50_000, "]" * 1000),
        json.dumps({"@type": {"@type": "Article"}, "headline": 1}),
        json.dumps({"@type": "Article", "author": {"@id": "#a"}, "@id": "#a"}),
        json.dumps({"@type": "Article", "headline": {"headline": {}}, "author": [[["x"]], 1, None, True]}),
        '{"@type": "Article", "position": NaN, "size": ' + "9" * 10_000 + "}",
    ],
)
def test_hostile_json_says_nothing(script: str) -> None:
    """Wrong, deep, cyclic and large values."""
    found = LinkedData([script])
    assert found.text("headline") == ""
    assert found.names("author") == []
    assert found.publisher() == ""


def test_escapes_of_lone_surrogates_are_left_out() -> None:
    """They are no characters: a table cannot store them. A pair is one character."""
    broken = "a\ud800b\U0001f600"
    article = {"@type": f"{broken}/{broken}Article", "name": broken, "license": {"url": broken}, "author": broken}
    found = data(article, {"@type": "WebSite", "name": broken})
    assert (found.text("name"), found.text("license"), found.names("author")) == ("ab😀", "ab😀", ["ab😀"])
    assert (found.publisher(), found.type()) == ("ab😀", "ab😀Article")


def test_objects_and_depth_are_bounded() -> None:
    """An article behind many objects, or deep inside, is not found."""
    deep: Any = ARTICLE
    for _ in range(20):
        deep = {"x": deep}
    assert data(deep).type() == ""
    assert data([*({"@type": "Thing"} for _ in range(3000)), ARTICLE]).type() == ""


_JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.sampled_from(["Article", "WebSite", "#a"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["@type", "@id", "@graph", "name", "author", "headline", "@value"]), inner, max_size=4
        ),
    ),
    max_leaves=15,
)


@settings(max_examples=40)
@given(_JSON)
def test_any_json_gives_texts(value: Any) -> None:
    """Whatever stands where."""
    found = data(value)
    assert isinstance(found.text("headline", "name"), str)
    assert all(isinstance(name, str) and name for name in found.names("author"))
    assert isinstance(found.publisher() + found.type(), str)
