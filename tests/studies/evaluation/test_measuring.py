"""Measures algorithms on pages of a gold set."""

from collections import Counter
from pathlib import Path

from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.scores import scores
from studies.evaluation import measuring

CHINESE = "我们的房子在这里，我们在这里住了很多年，孩子们也是在这里长大的。" * 3


def test_words_without_spaces_are_characters() -> None:
    """A Chinese paragraph without spaces is long enough for jusText, and is scored by characters."""
    html = f"<p>{CHINESE}</p><p><a href=x>首页</a></p>"
    page = GoldPage("one", html, gold={"": CHINESE}, language="zh")
    counts = measuring.measure(GoldSet("set", "Set", [page], cases=Counter())).of("jusText A", "words")
    assert counts is not None
    assert (counts[0].true_positives, scores(counts[0]).f1) == (len(CHINESE), 100.0)


def test_markers_of_segments_are_words_of_their_own_measure() -> None:
    """Of `<h>Title <p>One two` and the gold text `<p>Title <p>One two`, one of five words differs."""
    page = GoldPage("1", "<h1>Title</h1><p>One two</p>", "1", {"": "<p>Title\n<p>One two"})
    measured = measuring.measure(GoldSet("set", "Set", [page], markup=True))
    assert measured.of("baseline", "words_marked") == [(4, 1, 1)]
    assert measured.of("baseline", "words_all") == [(3, 0, 0)]
    without = measuring.measure(GoldSet("set", "Set", [page]))
    assert without.of("baseline", "words_marked") is None


def test_pages_of_a_site_are_compared() -> None:
    """The algorithm for sites removes what two pages of a site have in common; a page of another site keeps it."""
    menu = "<div>Menu of the site and all that is in it</div>"
    htmls = [f"{menu}<div>" + f"<p>Text {n} of its own.</p>" * n + "</div>" for n in (1, 2, 3)]
    gold = [f"Text {n} of its own. " * n for n in (1, 2, 3)]
    sites = ("a", "a", "b")
    pages = [GoldPage(site + html, html, site, {"": text}) for site, html, text in zip(sites, htmls, gold, strict=True)]
    measured = measuring.measure(GoldSet("set", "Set", pages, cases=Counter()))
    found = measured.of("density, sites", "words")
    assert found is not None
    assert [counts.false_positives for counts in found[:2]] == [0, 0]
    alone = measured.of("density", "words")
    assert alone is not None
    assert found[2] == alone[2]
    assert measured.of("baseline", "words")[0].false_positives == 10  # type: ignore[index]
    single = measuring.measure(GoldSet("set", "Set", pages[1:], cases=Counter()))
    assert single.of("density, sites", "words") is None


def test_what_was_measured_in_some_languages_only_is_left_out(tmp_path: Path) -> None:
    """The table has one row per page for each system, so that the rows of a page can be told."""
    pages = [
        GoldPage(f"{site}{number}", "<p>Text of its own.</p>", site, {"": "Text of its own."}, language=language)
        for number, (site, language) in enumerate([("a", "en"), ("a", "en"), ("b", "de")])
    ]
    gold_set = GoldSet("set", "Set", pages, cases=Counter())
    found = measuring.measure(gold_set)
    assert found.of("density, sites", "words") is None
    measuring.write(tmp_path / "set.tsv", gold_set, found)
    assert measuring.read(tmp_path / "set.tsv") == found
