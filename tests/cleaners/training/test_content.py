"""`corpusprep train content`, on a folder of small pages."""

from pathlib import Path

import pytest
from support.gold_folders import TEXT, train

from corpusprep.cleaners.block_models import read_model
from corpusprep.cleaners.content.cleaner import Content, ContentSettings
from corpusprep.cleaners.content.training import train as training
from corpusprep.cleaners.content.training.validation import GRID, balanced_threshold
from corpusprep.errors import ConfigError
from corpusprep.gold.page_scores import CROSS, PAGE_COLUMNS
from corpusprep.gold.pages import GoldPage
from corpusprep.io import tsv
from studies.evaluation.extractors import texts

PAGE = (
    "<title>Ferry {0}</title><div class='menu'><ul><li><a href='/'>Home</a><li><a href='/s'>Site {0}</a></ul></div>"
    "<div class='story'><h1>Ferry {0}</h1><p>{1}</p><p>Then: {1}</p></div>"
    "<div class='foot'><p>Copyright {0} by us</p></div>"
)


def folder(path: Path, pages: int, hosts: int = 100) -> Path:
    """Writes a folder of gold pages: half of the gold as text, half as JSON."""
    for part in ("html", "gold"):
        (path / part).mkdir(parents=True)
    for number in range(pages):
        text = TEXT.format(number)
        (path / "html" / f"{number:03}.html").write_text(PAGE.format(number, text))
        gold = f"Ferry {number}\n{text}\nThen: {text}"
        host = f"host{number % hosts}.example"
        if number % 2:
            (path / "gold" / f"{number:03}.txt").write_text(f"URL: http://{host}/{number}\n<h>{gold}\n")
        else:
            (path / "gold" / f"{number:03}.json").write_text(
                f'{{"text": "{gold}", "url": "http://{host}/"}}'.replace("\n", "\\n")
            )
    return path


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of 60 pages."""
    root = tmp_path_factory.mktemp("training")
    result = train("content", "--gold", str(folder(root / "own", 60)), "--output", str(root / "own.model"))
    assert result.exit_code == 0, result.output
    return root


def test_the_model_keeps_the_story(trained: Path) -> None:
    """A new page of the same template: the story is kept, menu and footer are not."""
    content = Content(ContentSettings(model=str(trained / "own.model")))
    assert content.model.card["sets"][0]["pages"] == 60
    measured = content.model.card["f1_by_threshold"]
    assert list(measured) == [f"{value / 1000:g}" for value in GRID]
    assert all(0 <= float(value) <= 100 for value in measured.values())
    page = GoldPage("new", PAGE.format(99, TEXT.format(99)))
    kept = texts(str(trained / "own.model"), [page])[0]["words"][0].splitlines()
    assert {TEXT.format(99), f"Then: {TEXT.format(99)}"} <= set(kept)
    assert not {"Home", "Copyright 99 by us"} & set(kept)


def test_each_page_is_scored_by_a_model_that_has_not_seen_it(trained: Path) -> None:
    """The table beside the model has each page once, with counts; there is one set, so none was left out."""
    rows = list(tsv.read(trained / "own.pages.tsv", PAGE_COLUMNS))
    assert len(rows) == 60
    assert {row["protocol"] for row in rows} == {CROSS}
    assert {row["group"] for row in rows} == {f"host{number}.example" for number in range(60)}
    assert sum(int(row["true_positives"]) for row in rows) > 40 * 60


def test_the_same_data_gives_the_same_bytes(trained: Path) -> None:
    """Training again changes no byte of the model."""
    again = trained / "again"
    again.mkdir()
    assert train("content", "--gold", str(trained / "own"), "--output", str(again / "own.model")).exit_code == 0
    assert (again / "own.model").read_bytes() == (trained / "own.model").read_bytes()
    assert read_model(again / "own.model", "content").card["name"] == "own"


@pytest.mark.parametrize(("pages", "hosts"), [(training.LEAST_PAGES - 1, 100), (training.LEAST_PAGES, 9)])
def test_too_few_pages_are_refused_with_their_number(tmp_path: Path, pages: int, hosts: int) -> None:
    """The error says how many pages and hosts there are, and how many are needed."""
    result = train(
        "content", "--gold", str(folder(tmp_path / "few", pages, hosts)), "--output", str(tmp_path / "x.model")
    )
    assert result.exit_code != 0
    assert f"{pages} usable pages of {min(pages, hosts)} hosts; at least 40 pages of 10 hosts" in str(result.exception)
    assert not (tmp_path / "x.model").exists()


def test_a_folder_without_gold_is_named(tmp_path: Path) -> None:
    """Neither a known set nor a folder of pages."""
    result = train("content", "--gold", str(tmp_path), "--output", str(tmp_path / "x.model"))
    assert f"{tmp_path}: neither a known gold set nor a folder" in str(result.exception)


@pytest.mark.parametrize(
    ("better", "expected"),
    [
        ({}, 500),
        ({550: [91.0, 89.9]}, 550),  # better in the mean; the second set loses less than seeds differ by
        ({550: [90.3, 89.85]}, 500),  # better by less than seeds differ by
        ({550: [91.0, 89.7]}, 500),  # the second set loses too much
        ({550: [91.0, 90.0], 600: [95.0, 89.0]}, 550),  # the best threshold that harms no set
        ({150: [99.0, 99.0]}, 500),  # no threshold that may be chosen
    ],
)
def test_the_balanced_threshold_harms_no_set(better: dict[int, list[float]], expected: int) -> None:
    """Half of the best score, unless another one gains in the mean and costs no set more than chance."""
    by_set = {threshold: {"balanced": better.get(threshold, [90.0, 90.0])} for threshold in GRID}
    assert balanced_threshold(by_set) == expected


def test_two_folders_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a folder is that of its set; a folder that is given again, under any path, counts once."""
    first, second = folder(tmp_path / "a" / "ok", 2), folder(tmp_path / "b" / "ok", 2)
    with pytest.raises(ConfigError, match=rf"two gold sets are named ok: {first} and {second}; rename one folder"):
        training.read_gold_sets([str(first), str(second)], None, print)
    with pytest.raises(ConfigError, match="two gold sets are named wcxb"):
        training.distinct(["wcxb", str(tmp_path / "wcxb")])
    monkeypatch.chdir(first)
    assert training.distinct([".", str(first), "../ok/", "wcxb", "wcxb"]) == [".", "wcxb"]
    assert list(training.read_gold_sets(["."], None, print)) == ["ok"]
