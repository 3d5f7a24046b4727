"""`bench language-model` and `bench filters`: their own parts, on small input."""

from pathlib import Path

import pytest
from peers.filters import kind_of
from quality import language_model, similarities
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


def write_wordnet(folder: Path) -> None:
    """A cat and a dog are animals; a river and a town are places."""
    licence = "  1 This software is free\n"
    above = {"cat": "animal", "dog": "animal", "river": "place", "town": "place"}
    places = {name: f"{number:08}" for number, name in enumerate([*above, "animal", "place"], 1)}
    data = [f"{places[name]} 05 n 01 {name} 0 001 @ {places[over]} n 0000 | what it is" for name, over in above.items()]
    data += [f"{places[name]} 05 n 01 {name} 0 000 | what it is" for name in ("animal", "place")]
    index = [f"{name} n 1 1 @ 1 1 {place}" for name, place in places.items()]
    for name, lines in (("data.noun", data), ("index.noun", index)):
        (folder / name).write_text(licence + "".join(f"{line}  \n" for line in lines), encoding="utf-8")


def test_models_have_the_same_words_and_vocabulary(tmp_path: Path) -> None:
    """Half as many words as the last stage leaves; repeated menus make the model of the crawl worse."""
    texts = [
        language_model.tokens(f"The river number {n} is wide and slow.\nThe town {n % 7} is old, with a cat.")
        for n in range(120)
    ]
    menu = language_model.tokens("Home | Search | Print | Contact\nHome")
    stages = {
        "the crawl": {f"http://h{n}.example/": [*menu, *text] for n, text in enumerate(texts)},
        "after": {f"http://h{n}.example/": text for n, text in enumerate(texts[:100])},
    }
    write_wordnet(tmp_path)
    told = language_model.tokens("The river is old and slow.")
    measured = language_model.measure(stages, told, similarities.Nouns(tmp_path))
    results = measured.results
    assert measured.words == sum(len(line) for text in texts[:100] for line in text) // 2
    assert results["after"].perplexities < results["the crawl"].perplexities
    assert measured.unknown == 0
    assert (measured.nouns, measured.pairs) == (3, 1)
    assert (results["the crawl"].documents, results["after"].documents) == (120, 100)


def test_the_page_and_its_figure(tmp_path: Path) -> None:
    """The table has a row per stage; the figure is the same in every run."""
    results = {
        stage: language_model.Result(9, 1000, [100.0 - n, 90.0 - n], [0.6, 0.625]) for n, stage in enumerate("abc")
    }
    lines = list(language_model.page(language_model.Measured(results, 500, 0.05, 40, 7), 3, 900))
    assert "| b | 9 | 1,000 | 94.0 | 89.0 to 99.0 | -1.1 % |" in lines
    assert "| b | 0.6125 | 0.6000 to 0.6250 |" in lines
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


def test_words_with_the_same_neighbours_are_similar(tmp_path: Path) -> None:
    """Related nouns share their contexts in the first text, unrelated ones in the second."""
    write_wordnet(tmp_path)
    nouns = similarities.Nouns(tmp_path)
    words = ["", "cat", "dog", "river", "town", "furry", "wide"]
    told = {"cat": "furry", "dog": "furry", "river": "wide", "town": "wide"}
    mixed = told | {"dog": "wide", "river": "furry"}

    def text(contexts: dict[str, str]) -> list[list[int]]:
        return [[words.index(noun), words.index(context)] for noun, context in contexts.items()] * 30

    areas, compared, related = similarities.areas({"good": [text(told)], "bad": [text(mixed)]}, words, nouns)
    assert (compared, related) == (4, 2)
    assert areas["good"] == [1.0]
    assert areas["bad"][0] < 0.5
