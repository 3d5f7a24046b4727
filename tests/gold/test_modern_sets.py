"""The readers of the sets for training, on small sets in the formats of the real ones."""

import json
from pathlib import Path

import pytest

from corpusprep.gold import sets
from corpusprep.gold.pages import GoldError, GoldSet


def read(folder: Path, name: str, stored: str, files: dict[str, str]) -> GoldSet:
    """Writes the files of a set, and reads it."""
    for path, content in files.items():
        (folder / stored / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / stored / path).write_text(content, encoding="utf-8")
    found = sets.read(name, folder)
    assert found is not None
    return found


def wcxb_gold(text: str | None, kind: str = "forum") -> str:
    """A gold file of WCXB."""
    truth = {} if text is None else {"main_content": text}
    kinds = {"page_type": {"primary": kind}}
    return json.dumps({"url": "https://www.a.example/x", "ground_truth": truth, "_internal": kinds})


def test_wcxb_has_kinds_and_hosts(tmp_path: Path) -> None:
    """Pages without a gold text are left out; pages of overlap.txt are marked."""
    files = {f"html/{number}.html": "<p>x</p>" for number in (1, 2, 3)}
    files |= {"gold/1.json": wcxb_gold("Text"), "gold/2.json": wcxb_gold(""), "gold/3.json": wcxb_gold("T", "product")}
    found = read(tmp_path, "wcxb", "wcxb-dev", {**files, "overlap.txt": "3\n"})
    assert [(page.name, page.site, page.kind, page.overlap) for page in found.pages] == [
        ("1", "a.example", "forum", False),
        ("3", "a.example", "product", True),
    ]
    assert found.cases["pages with an empty gold text, left out"] == 1


def test_dragnet_has_main_text_and_comments(tmp_path: Path) -> None:
    """The gold `main` is without readers' comments."""
    gold = "Main text\n!@#$%^&*()  COMMENTS\nA comment\n"
    found = read(
        tmp_path, "dragnet", "dragnet-train", {"html/a.html": "<p>x", "gold/a.txt": gold, "overlap.txt": "b.txt\n"}
    )
    page = found.pages[0]
    assert page.gold["main"].split() == ["Main", "text"]
    assert page.gold["comments"].split() == ["Main", "text", "A", "comment"]
    assert page.comments == "A comment"


def test_trafilatura_has_snippets_and_some_texts(tmp_path: Path) -> None:
    """Snippets are read; a whole text is there for some pages."""
    gold = {"with": ["good"], "without": ["bad"], "group": "a.example", "language": "de"}
    files = {"html/a.html": "<p>x", "html/b.html": "<p>y", "gold/a.json": json.dumps(gold)}
    files["gold/b.json"] = json.dumps({**gold, "text": "whole"})
    found = read(tmp_path, "trafilatura", "trafilatura-train", files)
    assert [(page.wanted, page.unwanted, page.gold) for page in found.pages] == [
        (("good",), ("bad",), {}),
        (("good",), ("bad",), {"": "whole"}),
    ]
    assert found.pages[0].language == "de"


def test_fundus_calls_norwegian_by_its_built_in_name(tmp_path: Path) -> None:
    """`no` is Bokmål, `nb`; the publisher's group keeps pages together."""
    gold = json.dumps({"text": "Tekst", "group": "avis", "language": "no"})
    found = read(tmp_path, "fundus", "fundus-train", {"html/a.html": "<p>x", "gold/a.json": gold})
    assert (found.pages[0].language, found.pages[0].site) == ("nb", "avis")


def test_a_damaged_gold_file_is_named(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(GoldError, match=r"fixtures-train/gold/a\.json: not a JSON file"):
        read(tmp_path, "fixtures", "fixtures-train", {"html/a.html": "<p>x", "gold/a.json": "{"})
