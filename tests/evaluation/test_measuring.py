"""Algorithms measured on pages of a gold set."""

from collections import Counter

from corpusprep.evaluation import measuring
from corpusprep.evaluation.gold import GoldPage, GoldSet
from corpusprep.evaluation.scores import scores

CHINESE = "我们的房子在这里，我们在这里住了很多年，孩子们也是在这里长大的。" * 3


def test_words_without_spaces_are_characters() -> None:
    """A Chinese paragraph, one white-space separated word, is long enough for jusText, and scored by its characters."""
    html = f"<p>{CHINESE}</p><p><a href=x>首页</a></p>"
    page = GoldPage("one", html, gold={"": CHINESE}, language="zh")
    counts = measuring.measure(GoldSet("set", "Set", [page], cases=Counter())).of("jusText A", "words")
    assert counts is not None
    assert (counts[0].true_positives, scores(counts[0]).f1) == (len(CHINESE), 100.0)
