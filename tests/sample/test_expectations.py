import html
import re
from pathlib import Path

import pack
import pytest
from support.expectations import SAMPLE, Expectations, Fate, check, load, normalised, vocabulary

EXPECTED = """
corpora: {english: en, czech: cs}
foreign: [no_good_block, rival_language]
hosts: {a.example: ["Home page"]}
pages:
  http://a.example/1: {language: en, encoding: utf-8, fate: kept, keep: ["an old ferry"], drop: ["By Ann"]}
  http://a.example/2: {language: en, fate: exact_duplicate}
  http://a.example/3: {language: [cs, en], fate: kept, keep: {english: ["hello"], czech: ["ahoj"]}}
  http://a.example/6: {language: hu, foreign: language_score}
  http://a.example/4: {fate: status}
  http://a.example/5: {fate: damaged, archive: a.warc.gz}
once: {english: ["an old ferry"], czech: []}
nowhere: ["Not Found"]
"""
TEXTS = {
    "http://a.example/1": "There was an old\nferry on the river.",
    "http://a.example/3": "Well, hello to you all.",
}
FATES = [
    Fate("http://a.example/1", "kept", encoding="utf-8"),
    Fate("http://a.example/1", "record_type"),
    Fate("http://a.example/2", "exact_duplicate"),
    Fate("http://a.example/3", "kept"),
    Fate("http://a.example/4", "status"),
    Fate("", "damaged", archive="a.warc.gz"),
    Fate("http://a.example/6", "language_score"),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The expectations above, as a file."""
    path = tmp_path / "expected.yaml"
    path.write_text(EXPECTED, encoding="utf-8")
    return path


@pytest.fixture
def english(file: Path) -> Expectations:
    """The expectations for the English corpus."""
    return load("english", file)


def test_a_run_as_expected_has_no_failures(english: Expectations) -> None:
    """A correct corpus gives no failure, whatever its line breaks and the order of the ledger."""
    assert check(english, TEXTS, reversed(FATES)) == []


def test_pages_of_another_language_may_be_lost_for_any_foreign_reason(file: Path) -> None:
    """The Czech corpus must have its own part of the page in two languages, and none of the English pages."""
    texts = {"http://a.example/3": "No ahoj"}
    fates = [
        Fate("http://a.example/1", "rival_language", encoding="utf-8"),
        Fate("http://a.example/2", "no_good_block"),
        *FATES[3:],
    ]
    assert check(load("czech", file), texts, fates) == []


@pytest.mark.parametrize(
    ("url", "text", "failure"),
    [
        ("http://a.example/1", "A ferry.", "http://a.example/1: must have 'an old ferry'"),
        ("http://a.example/1", "By Ann: an old ferry", "http://a.example/1: must not have 'By Ann'"),
        ("http://a.example/1", "Home page an old ferry", "http://a.example/1: must not have 'Home page'"),
        ("http://a.example/2", "Text.", "http://a.example/2: in the corpus; must be exact_duplicate"),
        ("http://a.example/3", "hello Not Found", "http://a.example/3: must not have 'Not Found'"),
        ("http://a.example/9", "Text.", "http://a.example/9: no page of the sample"),
    ],
)
def test_wrong_text_is_named(english: Expectations, url: str, text: str, failure: str) -> None:
    """A missing phrase, an unwanted phrase, and an unwanted page are each named with their URL."""
    assert failure in check(english, {**TEXTS, url: text}, FATES)


def test_a_kept_page_must_be_in_the_corpus(english: Expectations) -> None:
    """The ledger alone is not enough: the text must be there."""
    texts = {url: text for url, text in TEXTS.items() if not url.endswith("/3")}
    assert check(english, texts, FATES) == ["http://a.example/3: not in the corpus"]


def test_a_phrase_that_must_be_there_once_is_counted_over_all_texts(english: Expectations) -> None:
    """Two copies of a phrase, or none, are a failure that says where they are."""
    failures = check(english, {**TEXTS, "http://a.example/3": "hello, an old ferry"}, FATES)
    assert failures == [
        "the corpus: 2 times instead of once 'an old ferry' ['http://a.example/1', 'http://a.example/3']"
    ]


@pytest.mark.parametrize(
    ("place", "fate", "failure"),
    [
        (2, Fate("http://a.example/2", "kept"), "http://a.example/2: kept; must be exact_duplicate"),
        (0, Fate("http://a.example/1", "kept", encoding="windows-1252"), "decoded as windows-1252"),
        (0, Fate("http://a.example/4", "status"), "http://a.example/4: 2 times in the ledger"),
        (4, Fate("http://a.example/8", "status"), "http://a.example/8: no page of the sample"),
        (4, Fate("http://a.example/8", "status"), "http://a.example/4: not in the ledger; must be status"),
        (5, Fate("", "damaged", archive="b.warc.gz"), "http://a.example/5: not in the ledger"),
        (6, Fate("http://a.example/6", "rival_language"), "http://a.example/6: rival_language; must be language_score"),
    ],
)
def test_a_wrong_ledger_is_named(english: Expectations, place: int, fate: Fate, failure: str) -> None:
    """A wrong verdict, a wrong encoding, and a missing or additional record are each named with their URL."""
    fates = [*FATES[:place], fate, *FATES[place + 1 :]]
    assert any(failure in line for line in check(english, TEXTS, fates))


def test_an_unknown_corpus_is_an_error(file: Path) -> None:
    """A corpus that the file does not name has no expectations."""
    with pytest.raises(KeyError, match="german"):
        load("german", file)


@pytest.fixture(scope="module", params=["english", "czech"])
def expectations(request: pytest.FixtureRequest) -> Expectations:
    """The expectations of the project's own file for each corpus."""
    return load(request.param)


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    """URL -> the text of its source without tags."""
    texts = {}
    for archive in pack.load_manifest():
        for record in archive.records:
            source = (SAMPLE / "pages" / record.file).read_text(encoding="utf-8") if record.file else ""
            texts[record.url] = normalised(html.unescape(re.sub(r"<[^>]*>", "", source)))
    return texts


def test_every_record_of_the_crawl_has_an_expectation(expectations: Expectations, sources: dict[str, str]) -> None:
    """The sample's expectations and its manifest name the same URLs."""
    assert expectations.pages.keys() == sources.keys()


def test_expected_fates_are_in_the_vocabulary(expectations: Expectations) -> None:
    """No stage could give another fate."""
    assert {fate for page in expectations.pages.values() for fate in page.fates} <= vocabulary()


def test_expected_phrases_are_in_the_sources(expectations: Expectations, sources: dict[str, str]) -> None:
    """A phrase that must be kept is on its page, so no expectation is misspelt."""
    pages = expectations.pages.values()
    assert not [(page.url, phrase) for page in pages for phrase in page.keep if phrase not in sources[page.url]]


def test_unwanted_phrases_are_in_the_sources(expectations: Expectations, sources: dict[str, str]) -> None:
    """A phrase that must be removed is on its page; otherwise its absence from the corpus would prove nothing."""
    pages = [page for page in expectations.pages.values() if "kept" in page.fates]
    revised = "http://www.riverton-courier.example/2014/04/library-roof.html"  # must lack what it replaced
    wrong = {page.url for page in pages for phrase in page.drop if phrase not in sources[page.url]}
    assert wrong <= {revised}


def test_phrases_that_must_be_there_once_are_on_several_pages(
    expectations: Expectations, sources: dict[str, str]
) -> None:
    """Only de-duplication can reduce these to one."""
    assert not [phrase for phrase in expectations.once if sum(phrase in text for text in sources.values()) < 2]


def test_phrases_that_must_be_nowhere_are_somewhere_in_the_crawl(
    expectations: Expectations, sources: dict[str, str]
) -> None:
    """Each of them is on a page that must be lost."""
    assert not [phrase for phrase in expectations.nowhere if not any(phrase in t for t in sources.values())]
