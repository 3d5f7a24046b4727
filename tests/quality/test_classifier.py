"""The classifier of documents: what it learns, how it is measured, and how a corpus uses it."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from support.batch_fixture import Block, Page, write_batch

from corpusprep._native.quality import FEATURES
from corpusprep.commands import quality as step
from corpusprep.commands import train
from corpusprep.config.settings import load_schema, resolve
from corpusprep.errors import ArchiveError, ConfigError, ModelError
from corpusprep.io import tsv
from corpusprep.quality.classifier import QualityModel, read_model, score, write_model
from corpusprep.quality.examples import read_examples
from corpusprep.quality.training import fit, score_of
from corpusprep.quality.training import train as train_model
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table

PROSE = (
    "The ferry left the harbour in the morning, and nobody on the pier had seen it go.",
    "She read the letter twice before she put it back, for it said nothing that was new.",
    "When the rain had stopped, the children ran down to the river to look at the boats.",
    "He had lived in the village all his life, and he knew each tree on the way to the mill.",
)
LISTS = (
    "Add to cart | Free shipping | $19.99 | 4.5 stars (210)",
    "Size: M, L, XL. Colour: blue / red. In stock: 12",
    "Home > Shop > Shoes > Sale -50% | Buy now",
    "SKU 88123 - $5.00 - compare - wish list - share",
)


def documents(name: str, texts: Sequence[str]) -> list[dict[str, str]]:
    """Thirty documents of ten hosts, all different."""
    return [
        {
            "url": f"http://{name}{host}.example/{number}",
            "text": f"{texts[(host + number) % len(texts)]}\nPage {name}{'x' * (host + 1)}{'y' * number}",
        }
        for host in range(10)
        for number in range(3)
    ]


def folders(root: Path, *, reverse: bool = False) -> tuple[Path, Path]:
    """Two folders of documents, which may be in another order and other files."""
    sides = []
    for name, texts in (("good", PROSE), ("bad", LISTS)):
        side = root / name
        side.mkdir(parents=True)
        rows = documents(name, texts)[:: -1 if reverse else 1]
        for number, part in enumerate((rows[:7], rows[7:])):
            (side / f"{'ba'[number]}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in part))
        sides.append(side)
    return sides[0], sides[1]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of prose against lists."""
    root = tmp_path_factory.mktemp("trained")
    good, bad = folders(root)
    line = ["quality", "--good", str(good), "--bad", str(bad), "--output", str(root / "my.model")]
    shown = CliRunner().invoke(train.command, line)
    assert shown.exit_code == 0, shown.output
    assert "good above bad in 100.0 % of pairs, on hosts not seen" in shown.stderr
    return root / "my.model"


def test_it_tells_new_documents_apart(trained: Path) -> None:
    """On a scale from 0 to 1, whatever their length; a text without a word has the score of the bias."""
    model = read_model(trained)
    new = ["The boats left the river before the rain, and she had nothing to read.", "Buy now | $7.00 | Free | XL"]
    good, bad, good_again, empty = model.scores([*new, "\n".join([new[0]] * 50), ""])
    assert bad < 0.3 < 0.7 < good
    assert abs(good_again - good) < 0.2
    assert empty == score(model.bias)


def test_the_same_documents_give_the_same_files(trained: Path, tmp_path: Path) -> None:
    """In any order and division; a text that comes again counts once."""
    good, bad = folders(tmp_path, reverse=True)
    (good / "more.jsonl").write_text((good / "a.jsonl").read_text())
    said: list[str] = []
    train_model(good, bad, tmp_path / "my.model", said.append)
    for name in ("my.model", "my.card.md", "my.documents.tsv"):
        assert (tmp_path / name).read_bytes() == trained.with_name(name).read_bytes()
    assert any("repeated texts, 0 texts that are good and bad" in line for line in said)


def test_each_document_is_scored_by_a_model_that_has_not_seen_its_host(tmp_path: Path) -> None:
    """What only a host has is no help: on hosts that it knows, the model tells all apart; on others it guesses."""
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
        for host in range(20):
            for number in range(3):
                text = f"{name}{'abcdefghijklmnopqrst'[host] * 4} " * 5 + "word " * number
                path = tmp_path / name / f"{name}{host}_{number}.txt"
                path.write_text(text)
    model = train_model(tmp_path / "good", tmp_path / "bad", tmp_path / "m.model", lambda line: None)
    assert model.card["area"] == pytest.approx(0.5, abs=0.2)
    rows = tsv.read(tmp_path / "m.documents.tsv")
    assert len(rows) == 120
    assert {row["host"] for row in rows} == {f"{name}{host}" for name in ("good", "bad") for host in range(20)}
    assert [float(row["score"]) for row in rows] == sorted(float(row["score"]) for row in rows)


def test_the_card_says_what_the_documents_say(trained: Path) -> None:
    """The shares of its thresholds are those of the table beside it."""
    rows = tsv.read(trained.with_name("my.documents.tsv"))
    card = read_model(trained).card
    assert (card["good"], card["bad"]) == ({"documents": 30, "hosts": 10}, {"documents": 30, "hosts": 10})
    for shown in card["thresholds"]:
        for label in ("good", "bad"):
            kept = [float(row["score"]) >= shown["threshold"] for row in rows if row["label"] == label]
            assert shown[f"{label}_kept"] == pytest.approx(sum(kept) / len(kept), abs=1e-4)
    assert "| good | 30 | 10 |" in trained.with_name("my.card.md").read_text()


def test_training_and_scoring_agree(trained: Path, tmp_path: Path) -> None:
    """The score of the counted features is that of the text."""
    good, bad = folders(tmp_path)
    examples, repeated, both = read_examples(good, bad)
    assert (len(examples), repeated, both) == (60, 0, 0)
    model = fit(examples)
    texts = {row["url"]: row["text"] for row in documents("good", PROSE)}
    for example in examples:
        if example.good:
            assert model.scores([texts[example.name]]) == [score_of(model, example)]
    assert np.array_equal(model.weights, read_model(trained).weights)


def test_texts_on_both_sides_and_addresses(tmp_path: Path) -> None:
    """A text that is good and bad is left out; an address in the first line is no text."""
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "both_1.txt").write_text("This is on both sides.")
    (tmp_path / "good" / "x.txt").write_text("URL: http://a.example/page\nOne text.\n")
    (tmp_path / "bad" / "y_1.txt").write_text("URL: nothing\r\nAnother text.\n")
    examples, repeated, both = read_examples(tmp_path / "good", tmp_path / "bad")
    assert (repeated, both) == (0, 1)
    assert {(example.name, example.host, example.good) for example in examples} == {
        ("http://a.example/page", "a.example", True),
        ("nothing", "y", False),
    }


def test_what_cannot_be_learned_from_is_refused(tmp_path: Path) -> None:
    """Too few documents, pages in place of texts, other encodings."""
    good, bad = folders(tmp_path / "ok")
    few = tmp_path / "few"
    few.mkdir()
    (few / "a.txt").write_text("One text.")
    with pytest.raises(ConfigError, match="few: too small to train on: 1 documents of 1 hosts; at least 20"):
        train_model(good, few, tmp_path / "m.model", lambda line: None)
    (few / "a.txt").write_bytes("Straße".encode("latin-1"))
    with pytest.raises(ArchiveError, match="not UTF-8"):
        read_examples(few, bad)
    (few / "a.txt").unlink()
    (few / "page.html").write_text("<!DOCTYPE html><html><body><p>Text</p></body></html>")
    with pytest.raises(ArchiveError, match="no texts to learn from"):
        read_examples(few, bad)
    assert not (tmp_path / "m.model").exists()


def test_damaged_models_are_refused(trained: Path, tmp_path: Path) -> None:
    """And models of other algorithms."""
    path = tmp_path / "other.model"
    write_model(path, QualityModel(np.zeros(FEATURES, np.int16), -7, {"name": "x"}))
    assert read_model(path).bias == -7
    write_model(path, QualityModel(np.zeros(3, np.int16), 0))
    with pytest.raises(ModelError, match="unusable model"):
        read_model(path)
    path.write_bytes(trained.read_bytes()[:-1])
    with pytest.raises(ModelError, match="train it again: corpusprep train quality"):
        read_model(path)
    path.write_bytes(trained.read_bytes().replace(b'"quality"', b'"content"', 1))
    with pytest.raises(ModelError):
        read_model(path)


def test_scores_do_not_depend_on_the_last_bit_of_an_exponential() -> None:
    """No log-odds have a score so near a half of its last decimal that another library could round it otherwise."""
    odds = np.arange(-20 * 1024, 20 * 1024 + 1) / 1024
    halves = 1e4 / (1 + np.exp(-odds)) % 1
    assert np.abs(halves - 0.5).min() > 1e-9


def test_a_corpus_uses_it(trained: Path, tmp_path: Path) -> None:
    """The step stores the scores and removes documents below the threshold; `recut` tries others."""
    pages = [
        Page((Block("The children had seen the boats on the river, and she ran to the mill in the rain."),)),
        Page((Block("Buy now | $7.00 | Free shipping | XL | compare"),), url="http://b.example/"),
    ]
    files = write_batch(tmp_path, pages)
    line = [str(files.quality.parent.parent), "--batch", files.batch, "--model", "en"]
    scored = [*line, "--filter-model", str(trained), "--least", '{"model_score": 0.5}']
    shown = CliRunner().invoke(step.command, scored)
    assert shown.exit_code == 0, shown.output
    table = read_table(files.quality, schemas.QUALITY)
    assert table["verdict"].to_list() == ["kept", "model_score"]
    assert table["failed"].to_list() == [[], ["model_score < 0.5"]]
    text = "The children had seen the boats on the river, and she ran to the mill in the rain."
    assert table["model_score"][0] == read_model(trained).scores([text])[0]
    assert CliRunner().invoke(step.command, line).exit_code == 0
    assert read_table(files.quality, schemas.QUALITY)["model_score"].to_list() == [None, None]
    refused = CliRunner().invoke(step.command, [*line, "--least", '{"model_score": 0.5}'])
    assert "there is no score without a classifier" in str(refused.exception)


def test_the_config_is_checked(trained: Path, tmp_path: Path) -> None:
    """A model that is missing or no model; a threshold without one."""
    (tmp_path / "a.warc").touch()
    corpus = {"language": "en", "archives": [str(tmp_path / "a.warc")]}
    for wanted, message in (
        ({"model": str(tmp_path / "no.model")}, "filter.model is .*no.model'"),
        ({"model": __file__}, "not a model; corpusprep train quality makes one"),
        ({"least": {"model_score": 0.5}}, "filter: model_score < 0.5: there is no score without a classifier"),
        ({"expression": "model_score > 0.5 or words > 9"}, "there is no score without a classifier"),
    ):
        with pytest.raises(ConfigError, match=message):
            resolve({"corpora": {"a": corpus | {"filter": wanted}}}, load_schema())
    wanted = {"model": str(trained), "least": {"model_score": 0.5}}
    resolve({"corpora": {"a": corpus | {"filter": wanted}}}, load_schema())
