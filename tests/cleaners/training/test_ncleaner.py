"""`corpusprep train ncleaner`, on a folder of small pages, and the probabilities behind the weights."""

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.gold_folders import TEXT, gold_folder, page, train

from corpusprep.cleaners.ncleaner.character_models import UNIT, read_model
from corpusprep.cleaners.ncleaner.training import NcleanerPlan, symbols_of, trigram_keys, weights_of
from corpusprep.extraction.library import extract
from corpusprep.gold.page_scores import CROSS, PAGE_COLUMNS
from corpusprep.io import tsv


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models of 60 pages, of letters and of classes."""
    root = tmp_path_factory.mktemp("training")
    gold_folder(root / "own", 60)
    for name, options in (("letters", ("--language", "en")), ("classes", ("--classes",))):
        result = train("ncleaner", "--gold", root / "own", "--output", root / f"{name}.model", *options)
        assert result.exit_code == 0, result.output
    return root


@pytest.mark.parametrize("name", ["letters", "classes"])
def test_the_model_keeps_the_story(trained: Path, name: str) -> None:
    """A new page of the same template: the story is kept, menu and footer are not."""
    model = trained / f"{name}.model"
    found = extract(page(99), algorithm="ncleaner", model=str(model), threshold=0.5)
    assert [block.text for block in found if block.label == "good"] == [
        TEXT.format(99),
        f"Then: {TEXT.format(99)}",
    ]
    assert read_model(model).card["sets"][0]["pages"] == 60
    assert model.stat().st_size < 3_000_000


def test_a_model_of_letters_is_of_its_language_and_one_of_classes_of_any(trained: Path) -> None:
    """Pages of a folder that state no language are of the language that is asked for."""
    letters, classes = (read_model(trained / f"{name}.model") for name in ("letters", "classes"))
    assert (letters.language, letters.lexical) == ("en", True)
    assert letters.card["languages"] == {"en": 60}
    assert classes.card["languages"] == {"not said": 60}
    assert (classes.language, classes.lexical) == ("", False)
    assert len(classes.pairs) < len(letters.pairs)


def test_each_page_is_scored_by_a_model_that_has_not_seen_it(trained: Path) -> None:
    """The table beside the model has each page once."""
    rows = list(tsv.read(trained / "letters.pages.tsv", PAGE_COLUMNS))
    assert len(rows) == 60
    assert {row["protocol"] for row in rows} == {CROSS}
    assert sum(int(row["true_positives"]) for row in rows) > 40 * 60


def test_the_same_data_gives_the_same_bytes(trained: Path) -> None:
    """Training again changes no byte of the model."""
    again = trained / "again"
    again.mkdir()
    options = ("--gold", trained / "own", "--language", "en")
    assert train("ncleaner", *options, "--output", again / "letters.model").exit_code == 0
    assert (again / "letters.model").read_bytes() == (trained / "letters.model").read_bytes()


def test_too_few_pages_are_refused_with_their_number(tmp_path: Path) -> None:
    """The error says how many there are and how many are needed, and which languages others have."""
    gold = gold_folder(tmp_path / "few", 41)
    for number in (3, 4):
        text, path = TEXT.format(number), gold / "gold" / f"{number:03}.txt"
        path.unlink()
        path.with_suffix(".json").write_text(json.dumps({"text": f"{text}\n{text}", "language": "de"}))
    result = train("ncleaner", "--gold", gold, "--output", tmp_path / "x.model", "--language", "cs")
    assert "39 usable pages of 39 hosts; at least 40 pages of 10 hosts are needed" in str(result.exception)
    assert str(result.exception).endswith("; left out: pages of other languages (2 de)")
    assert result.stderr == "left out: pages of other languages (2 de)\n"
    assert not (tmp_path / "x.model").exists()


def plain_probability(text: str, history: str, symbol: str, symbols: str, share: float) -> float:
    """Interpolates the orders 0 to 3 of a text; an order whose context never occurred is left out."""
    padded = f"$${text}$" if text else ""
    value = 1 / len(symbols)
    for order in range(3):
        # Each symbol after the first two is predicted; `places` are where.
        places = range(2, len(padded))
        contexts = Counter(padded[place - order : place] for place in places)
        grams = Counter(padded[place - order : place + 1] for place in places)
        context = history[2 - order :]
        if contexts[context]:
            value = share * grams[context + symbol] / contexts[context] + (1 - share) * value
    return value


@settings(max_examples=80, deadline=None)
@given(st.text("ab", max_size=12), st.text("abc", max_size=12), st.sampled_from([0.3, 0.5]), st.sampled_from([0, 99]))
def test_weights_are_ratios_of_interpolated_probabilities(clean: str, dirty: str, share: float, most: int) -> None:
    """Of every trigram that occurs, listed or not, within the rounding of two weights."""
    symbols = "$abc"

    def counted(text: str) -> np.ndarray:
        found = np.array([symbols.index(one) for one in text], np.uint8)
        keys, _ = trigram_keys(found, np.array([0, len(found)] if text else [0], np.int64), 4)
        return np.bincount(keys, minlength=64)

    plan = NcleanerPlan(share=share, least_trigrams=1, most_trigrams=most)
    pairs, contexts, trigrams, weights = weights_of(counted(clean), counted(dirty), 4, plan)
    assert len(trigrams) <= most
    listed = dict(zip(trigrams.tolist(), weights.tolist(), strict=True))
    for place in range(64):
        first, second, third = place // 16, place // 4 % 4, place % 4
        history, symbol = symbols[first] + symbols[second], symbols[third]
        ratio = math.log(
            plain_probability(clean, history, symbol, symbols, share)
            / plain_probability(dirty, history, symbol, symbols, share)
        )
        weight = listed.get(place, int(pairs[second, third]) + int(contexts[first, second]))
        occurs = any(history + symbol in f"$${text}$" for text in (clean, dirty) if text)
        if most or not occurs:
            assert abs(weight - UNIT * ratio) <= 1


def test_trigrams_run_from_before_the_first_symbol_to_the_end() -> None:
    """Each segment on its own; an empty one has its end alone."""
    keys, segments = trigram_keys(np.array([1, 2, 3], np.uint8), np.array([0, 2, 2, 3], np.int64), 10)
    assert keys.tolist() == [1, 12, 120, 0, 3, 30]
    assert segments.tolist() == [0, 0, 0, 1, 2, 2]


def test_symbols_are_frequent_characters_and_classes() -> None:
    """Rare characters have the symbol of their class; without letters, capitals share one."""
    text = ("aaab..É" * 10).encode()
    own, symbols, classes, size = symbols_of(text, NcleanerPlan(least_count=11))
    assert (own.tolist(), symbols.tolist()) == ([ord("."), ord("a")], [10, 11])
    assert (classes.tolist(), size) == (list(range(1, 10)), 12)
    own, symbols, _, size = symbols_of(text, NcleanerPlan(lexical=False, least_count=11))
    found = dict(zip(own.tolist(), symbols.tolist(), strict=True))
    assert size == 12
    assert found[ord(".")] == 11
    assert {found[ord(letter)] for letter in "AÉЖ"} == {10}
    assert ord("a") not in found
    assert (np.diff(own.astype(np.int64)) > 0).all()
