"""`corpusprep train victor`, on folders of small pages."""

from pathlib import Path

import numpy as np
import pytest
from support.gold_folders import PAGE, TEXT, gold_folder, page, train

from corpusprep.cleaners.content.training import examples as reading
from corpusprep.cleaners.victor import training
from corpusprep.cleaners.victor.victor_models import OTHER, VictorModel, read_model
from corpusprep.extraction.library import extract
from corpusprep.gold.page_scores import CROSS, PAGE_COLUMNS
from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.text_nodes import TextNode
from corpusprep.io import tsv


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of 24 pages."""
    root = tmp_path_factory.mktemp("training")
    result = train("victor", "--gold", gold_folder(root / "own", 24), "--output", root / "own.model")
    assert result.exit_code == 0, result.output
    return root


def test_the_model_keeps_the_story(trained: Path) -> None:
    """A new page of the same template: the story is kept, menu and footer are not; no language is needed."""
    blocks = extract(page(99), algorithm="victor", model=str(trained / "own.model"))
    kept = [block.text for block in blocks if block.label == "good"]
    assert {TEXT.format(99), f"Then: {TEXT.format(99)}"} <= set(kept)
    assert not {"Home", "SITE MAP 99", "Copyright 99 by us"} & set(kept)
    assert {block.verdict for block in blocks} == {"kept", "score"}


def test_the_card_and_the_table_say_what_it_was_trained_on(trained: Path) -> None:
    """Each page is in the table once, with the counts of a model that has not seen its host."""
    model = read_model(trained / "own.model")
    assert model.labels == (OTHER, "content")
    assert model.card["sets"][0]["pages"] == 24
    rows = list(tsv.read(trained / "own.pages.tsv", PAGE_COLUMNS))
    assert len(rows) == 24
    assert {row["protocol"] for row in rows} == {CROSS}
    assert sum(int(row["true_positives"]) for row in rows) > 40 * 24


def test_the_same_data_gives_the_same_bytes(trained: Path) -> None:
    """Training again changes no byte of the model."""
    again = trained / "again"
    again.mkdir()
    assert train("victor", "--gold", trained / "own", "--output", again / "own.model").exit_code == 0
    assert (again / "own.model").read_bytes() == (trained / "own.model").read_bytes()


def test_too_few_pages_are_counted(tmp_path: Path) -> None:
    """The message says how many there are and how many are needed."""
    result = train("victor", "--gold", gold_folder(tmp_path / "few", 7), "--output", tmp_path / "x.model")
    message = "too small to train on: 7 usable pages of 7 hosts; at least 20 pages of 5 hosts are needed"
    assert message in str(result.exception)
    assert not (tmp_path / "x.model").exists()


def test_kinds_of_content_are_labels_where_the_nodes_have_them() -> None:
    """A block has the kind of most of its content; an undecided one does not teach; --two-classes merges kinds."""
    html = "<h1>Ferry</h1><p>It is back <b>today</b></p><ul><li>Home</ul><p>x</p>"
    labels = {"Ferry": "header", "It is back ": "paragraph", "today": "continuation", "Home": "other"}
    nodes = [TextNode(text, f"victor_{label}", nested=False, in_select=False) for text, label in labels.items()]
    nodes.append(TextNode("x", "", nested=False, in_select=False))
    gold_set = GoldSet("labelled", "", [GoldPage("a", html, gold={"": "Ferry It is back today"}, nodes=nodes)])
    examples = reading.read([gold_set], made=False)
    found = training.sequences_of(examples, training.VictorPlan())
    assert [found.labels[one] if one >= 0 else "" for one in found.targets.tolist()] == [
        "header",
        "paragraph",
        OTHER,
        "",
    ]
    merged = training.sequences_of(examples, training.VictorPlan(kinds=False))
    assert merged.labels == (OTHER, "content")
    assert merged.targets.tolist() == [1, 1, 0, -1]


def test_classes_are_those_of_the_kernel() -> None:
    """A model whose only weight is that of one class of one attribute scores the blocks of that class."""
    numbers = np.random.default_rng(2)
    values = numbers.integers(0, 6, (3, 40)).astype(np.uint8)
    bounds = np.array([0, 15, 40])
    columns, offsets = np.array([1, 2], np.uint16), np.array([-1, 0], np.int8)
    borders = (np.array([0, 3], np.uint8), np.array([2], np.uint8))
    classes = training.classes_of(values, bounds, columns, offsets, borders)
    for row, (first, count) in enumerate(((0, 4), (4, 3))):
        for place in range(count):
            weights = np.zeros((7, 2), np.int32)
            weights[first + place, 1] = 4096
            model = VictorModel((OTHER, "content"), columns, offsets, borders, weights, np.zeros((2, 2), np.int32))
            scores = model.native.decode(values, bounds)[1]
            assert ((scores > 600) == (classes[row] == place)).all()


def test_borders_make_even_classes_and_frequent_values() -> None:
    """Values that repeat stay together; a feature with one value has no border."""
    values = np.repeat([0, 1, 2, 3, 9], [60, 10, 10, 10, 10]).astype(np.uint8)
    assert training.even_borders(values, 5).tolist() == [0, 1, 2, 3]
    assert training.even_borders(values, 3).tolist() == [0, 2]
    assert training.even_borders(np.zeros(9, np.uint8), 3).tolist() == []
    assert training.nominal_borders(values, 20).tolist() == [0]
    assert training.nominal_borders(values, 10).tolist() == [0, 1, 2, 3, 8]


def test_of_many_blocks_pages_are_drawn() -> None:
    """Pages beyond the plan's blocks are left out, by name; a page teaches by a window of its blocks."""
    pages = [GoldPage(str(n), page(n), gold={"": TEXT.format(n) * 2}) for n in range(10)]
    examples = reading.read([GoldSet("own", "", pages)], made=False)
    assert training.draw(examples, training.VictorPlan(blocks=60)) == 0
    assert training.draw(examples, training.VictorPlan(blocks=20, window=4)) == 4
    left_out = [page.left_out for page in examples.pages]
    assert left_out.count(training.NOT_DRAWN) == 5
    assert left_out.count("") == 5


def test_plain_pages_have_the_gold_text_alone() -> None:
    """Some pages give one, of their first paragraphs; what was left out of training gives none."""
    text = "\n".join([TEXT.format(1) + " <b>", "Short", TEXT.format(2)])
    pages = [GoldPage(str(n), PAGE.format(n, "x"), "host", {"": text}, overlap=n % 2 == 0) for n in range(60)]
    made = training.plain_pages(GoldSet("own", "", pages)).pages
    assert 0 < len(made) < 30
    assert {int(page.name.removesuffix(", plain")) % 2 for page in made} == {1}
    assert {page.gold[""].count("\n") + 1 for page in made} == {1, 2}
    assert not any("Short" in page.html for page in made)
    examples = reading.read([GoldSet("own", "", made)], made=False)
    assert {page.group for page in examples.pages} == {"host"}
    found = dict(zip(examples.texts, examples.labels.tolist(), strict=True))
    assert found.pop("Home") == 0
    assert found[TEXT.format(1) + " <b>"] == 1
    assert set(found.values()) == {1}
