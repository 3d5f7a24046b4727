"""`bench language-model` and `bench filters`: their own parts, on small input."""

from pathlib import Path

import pytest
from peers.filters import kind_of
from quality import language_model
from quality.kneser_ney import BEGIN, KneserNey

LINES = [[1, 2, 3], [1, 2, 4, 2, 3], [3, 3, 0], [2]]


@pytest.mark.parametrize("history", [(BEGIN, BEGIN), (BEGIN, 1), (1, 2), (2, 3), (4, 4), (0, 9)])
def test_probabilities_add_up(history: tuple[int, int]) -> None:
    """After any words, also unseen ones; and each word has a probability."""
    model = KneserNey(LINES, 6)
    each = [model.probability((*history, word)) for word in range(6)]
    assert sum(each) == pytest.approx(1)
    assert min(each) > 0


def test_what_was_seen_is_told_better() -> None:
    """A line of the training text has a lower perplexity than its words in another order."""
    model = KneserNey(LINES * 3, 6)
    assert model.perplexity([[1, 2, 3]]) < model.perplexity([[3, 1, 2]]) < 36


def test_models_have_the_same_words_and_vocabulary() -> None:
    """Half as many words as the last stage leaves; repeated menus make the model of the crawl worse."""
    texts = [
        language_model.tokens(f"The river number {n} is wide and slow.\nThe town {n % 7} is old.") for n in range(60)
    ]
    menu = language_model.tokens("Home | Search | Print | Contact\nHome")
    stages = {
        "the crawl": {f"http://h{n}.example/": [*menu, *text] for n, text in enumerate(texts)},
        "after": {f"http://h{n}.example/": text for n, text in enumerate(texts[:50])},
    }
    results, words = language_model.measure(stages, language_model.tokens("The river is old and slow."))
    assert words == sum(len(line) for text in texts[:50] for line in text) // 2
    assert results["after"].perplexities < results["the crawl"].perplexities
    assert results["after"].unknown == results["the crawl"].unknown == 0
    assert (results["the crawl"].documents, results["after"].documents) == (60, 50)


def test_the_page_and_its_figure(tmp_path: Path) -> None:
    """The table has a row per stage; the figure is the same in every run."""
    results = {stage: language_model.Result(9, 1000, [100.0 - n, 90.0 - n], 0.05) for n, stage in enumerate("abc")}
    lines = list(language_model.page(results, 500, 3, 900))
    assert "| b | 9 | 1,000 | 94.0 | 89.0 to 99.0 | -1.1 % |" in lines
    assert max(map(len, lines)) <= 120
    drawn = []
    for _ in range(2):
        language_model.draw(results, tmp_path / "figure.svg")
        drawn.append((tmp_path / "figure.svg").read_bytes())
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(
    ("theirs", "ours", "kind"),
    [
        ("l' eau", "l'eau", "words with an apostrophe"),
        ("):", ") :", "smileys and other marks that stay together"),
        ("Sept.", "Sept .", "abbreviations"),
        ("5 kOhm", "5kOhm", "numbers, units and what has digits"),
    ],
)
def test_pieces_are_sorted_by_what_they_are_like(theirs: str, ours: str, kind: str) -> None:
    """Of those that are cut otherwise."""
    assert kind_of(theirs, ours) == kind
