"""A user's own cleaner: its input, the meaning of its answers, and the messages for wrong answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plain_pages import MARKUP, pages

from corpusprep import Page, PageBlock, extract
from corpusprep.cleaners.interface import LABELS, Cleaner
from corpusprep.cleaners.justext import JusText
from corpusprep.cleaners.registry import algorithm
from corpusprep.commands.application import main
from corpusprep.errors import ConfigError, OwnCodeError

PAGE = (
    "<h1>Zzgfw</h1><p>Some <a href=x>linked</a> text.</p><p>© me</p><ul><li>one<li>two</ul><select><option>x</select>"
)
MODULE = """
class MyCleaner:
    def __init__(self, least=2):
        self.least = least

    def classify(self, page):
        return [block.words >= self.least for block in page.blocks]

class Failing:
    def __init__(self):
        raise ValueError("no model")

class NoMethod:
    pass
"""


class Recorded:
    """Gives prepared answers, page by page, and keeps the pages."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.pages: list[Page] = []

    def classify(self, page: Page) -> Any:
        self.pages.append(page)
        return self.answers.pop(0)


def test_a_cleaner_gets_measured_blocks() -> None:
    """All that is known of a block before it is classified."""
    cleaner = Recorded([True, False, False, True, False, True])
    blocks = extract(PAGE, algorithm=cleaner)
    (page,) = cleaner.pages
    assert page.blocks[0] == PageBlock("Zzgfw", "h1", True, 1, 0.0, 0.0, False, False)
    assert page.blocks[1].link_density == pytest.approx(1 / 3)
    assert [block.tag for block in page.blocks][:5] == ["h1", "p", "p", "li", "li"]
    assert [block.copyright for block in page.blocks] == [False, False, True, False, False, False]
    assert [block.in_select for block in page.blocks] == [False, False, False, False, False, True]
    assert [block.label for block in blocks] == ["good", "bad", "bad", "good", "bad", "good"]
    assert [block.verdict for block in blocks] == [
        "kept", "boilerplate", "boilerplate", "kept", "boilerplate", "kept"
    ]  # fmt: skip


def test_class_names_are_decided_by_their_context() -> None:
    """As jusText's own; the reason of a block that is not kept is its class."""
    cleaner = Recorded(["good", "short", "near-good", "short", "bad", "near-good"])
    blocks = extract(PAGE, algorithm=cleaner)
    assert [block.verdict for block in blocks] == ["kept", "kept", "kept", "short", "boilerplate", "near_good"]
    assert [block.context_free_label for block in blocks][:2] == ["good", "short"]


class Prepared:
    """Gives prepared class names, block by block."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = iter(labels)

    def classify(self, page: Page) -> list[str]:
        return [next(self.labels) for _ in page.blocks]


@given(st.lists(MARKUP, max_size=4))
def test_classes_of_many_pages_are_those_given(markups: list[str]) -> None:
    """Pages keep their borders: with jusText's context-free classes, the final ones are jusText's."""
    blocks = pages(markups)
    expected = JusText().classify(blocks)
    classes = algorithm(Prepared([LABELS[code] for code in expected.context_free])).classify(blocks)
    assert classes.context_free.tolist() == expected.context_free.tolist()
    assert classes.good.tolist() == expected.good.tolist()
    assert ((classes.verdicts == 0) == classes.good).all()


def test_booleans_of_numpy_are_booleans() -> None:
    """Shape (blocks,)."""
    blocks = extract("<p>a<p>b", algorithm=Recorded(np.array([True, False])))
    assert [block.label for block in blocks] == ["good", "bad"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([True], "classify gave 1 classes for a page of 2 blocks"),
        ("ab", "classify gave a text for a page of 2 blocks"),
        ([True, "good"], "classify gave True; allowed: True and False, or bad, short, near-good, good"),
        (["good", "fine"], "classify gave 'fine'; allowed"),
        ([1, 0], "classify gave 1; allowed"),
        (None, "classify failed: TypeError: 'NoneType' object is not iterable"),
    ],
)
def test_a_wrong_answer_is_named(answer: Any, message: str) -> None:
    """With the page that it is about."""
    cleaner: Cleaner = Recorded([True], answer)
    with pytest.raises(OwnCodeError, match=rf"^Recorded: {message}") as error:
        algorithm(cleaner).classify(pages(["<p>x", "", "<p>a<p>b"]))
    assert error.value.page == 2


def test_a_cleaner_by_name(tmp_path: Path) -> None:
    """From a file in a folder, with its parameters."""
    (tmp_path / "own_cleaner_a.py").write_text(MODULE, encoding="utf-8")
    blocks = pages(["<p>a<p>b c<p>d e f"])
    made = algorithm("own_cleaner_a:MyCleaner", code=tmp_path)
    assert made.classify(blocks).good.tolist() == [False, True, True]
    made = algorithm("own_cleaner_a:MyCleaner", parameters={"least": 3}, code=tmp_path)
    assert made.classify(blocks).good.tolist() == [False, False, True]
    for name, parameters, message in [
        ("MyCleaner", {"most": 3}, "unexpected keyword argument 'most'; it takes least"),
        ("Failing", {}, r"making it failed: ValueError: no model \(.*own_cleaner_a\.py, line 11\)"),
        ("NoMethod", {}, r"own_cleaner_a:NoMethod: it has no method classify\(page\)"),
    ]:
        with pytest.raises(OwnCodeError, match=message):
            algorithm(f"own_cleaner_a:{name}", parameters=parameters, code=tmp_path)
    with pytest.raises(ConfigError, match="parameters are for an algorithm's name"):
        algorithm(Recorded(), parameters={"least": 3})


def test_extract_finds_a_cleaner_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And names the file that it fails on, in one line."""
    wrong = "\nclass Wrong:\n    def classify(self, page):\n        return []\n"
    (tmp_path / "own_cleaner_b.py").write_text(MODULE + wrong, encoding="utf-8")
    (tmp_path / "a.html").write_text("<p>a<p>b c", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name, out, err in [
        ("MyCleaner", "b c\n", ""),
        ("Wrong", "", "own_cleaner_b:Wrong: classify gave 0 classes for a page of 2 blocks (a.html)\n"),
        ("None", "", f"own_cleaner_b:None: {tmp_path / 'own_cleaner_b.py'} has no None\n"),
    ]:
        with pytest.raises(SystemExit) as ended:
            main(["extract", "--algorithm", f"own_cleaner_b:{name}", "a.html"])
        assert ended.value.code == (1 if err else 0)
        said = capsys.readouterr()
        assert (said.out, said.err) == (out, err and f"corpusprep: error: {err}")
