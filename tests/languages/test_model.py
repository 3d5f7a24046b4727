"""Language models as files, and languages by code or path."""

import os
import pickle

import numpy as np
import pytest

from corpusprep import languages
from corpusprep.encoding.detection import detect
from corpusprep.errors import LanguageError
from corpusprep.languages import model as model_files
from corpusprep.languages.scoring import TrigramScorer


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A model file, with two spellings."""
    path = tmp_path_factory.mktemp("models") / "ro.model"
    languages.save(languages.get("ro"), path)
    return path


def test_what_is_saved_is_loaded(saved):
    """Values, scores and detection are the same as before saving."""
    model, loaded = languages.get("ro"), languages.load(saved)
    text = "Și noi am ajuns acasă înainte de ploaie, fiindcă știam drumul."
    assert loaded == model
    assert loaded.stop_words == model.stop_words
    assert TrigramScorer([loaded]).scores(text) == TrigramScorer([model]).scores(text)
    data = text.encode("iso-8859-16")
    assert detect(data, loaded) == detect(data, model)
    assert np.array_equal(loaded.encodings.weights, model.encodings.weights)


def test_the_same_model_is_the_same_bytes(saved, tmp_path):
    """A model made again, or loaded and saved again, is identical byte for byte."""
    languages.save(languages.make("ro"), tmp_path / "again.model")
    languages.save(languages.load(saved), tmp_path / "copy.model")
    assert (tmp_path / "again.model").read_bytes() == saved.read_bytes()
    assert (tmp_path / "copy.model").read_bytes() == saved.read_bytes()


def test_a_model_can_go_to_another_process():
    """It can be pickled before and after its parts are made."""
    model = languages.make("da")
    assert pickle.loads(pickle.dumps(model)) == model
    assert model.trigrams
    assert pickle.loads(pickle.dumps(model)) == model


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda data: b"", "not a language model"),
        (lambda data: b"PK\x03\x04" + data, "not a language model"),
        (lambda data: data.replace(b" 3\n", b" 2\n", 1), "version 2"),
        (lambda data: data[: len(data) // 2], "damaged"),
        (lambda data: data[:-1], "damaged"),
        (lambda data: data[:5000] + b"\0" + data[5001:], "damaged"),
    ],
    ids=["empty", "another-format", "another-version", "cut-in-half", "last-byte-missing", "one-byte-changed"],
)
def test_a_file_that_cannot_be_used_is_named(saved, tmp_path, change, complaint):
    """The message gives the path and the problem."""
    path = tmp_path / "bad.model"
    path.write_bytes(change(saved.read_bytes()))
    with pytest.raises(LanguageError, match=complaint) as caught:
        languages.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("ro", "corpusprep language make ro --output {path}"),
        ("frr", "corpusprep language make frr --text FILE --output {path}"),
    ],
)
def test_a_file_of_another_version_says_what_makes_it_again(saved, tmp_path, name, command):
    """The message gives the whole command, with a sample for a language that is not built in."""
    path = tmp_path / f"{name}.model"
    path.write_bytes(saved.read_bytes().replace(b" 3\n", b" 2\n", 1))
    with pytest.raises(LanguageError) as caught:
        languages.load(path)
    assert str(caught.value).endswith(f"make it again: {command.format(path=path)}")


def test_a_sound_file_with_unsound_content_is_named(tmp_path):
    """A correct digest alone does not make a file a model."""
    import hashlib

    content = b"corpusprep language model 3\n{}\n"
    path = tmp_path / "hollow.model"
    path.write_bytes(content + hashlib.sha256(content).digest())
    with pytest.raises(LanguageError, match=r"hollow\.model"):
        languages.load(path)


def test_a_missing_file_is_named(tmp_path):
    """The message says that it cannot be read."""
    with pytest.raises(LanguageError, match=r"none\.model: cannot read"):
        languages.get(str(tmp_path / "none.model"))


def test_a_language_is_a_code_or_a_path(saved):
    """Both give the model, and describe it."""
    assert languages.get(str(saved)) == languages.get("ro")
    assert languages.get(saved).code == "ro"
    assert languages.describe(str(saved)).rivals == languages.describe("ro").rivals
    assert [languages.is_path(spec) for spec in ("ro", "x.model", "./ro", "zh")] == [False, True, True, False]


def test_a_changed_file_is_read_again(saved, tmp_path):
    """A model written again under the same name is loaded again."""
    path = tmp_path / "x.model"
    languages.save(languages.get("da"), path)
    assert languages.get(str(path)).code == "da"
    languages.save(languages.get("ro"), path)
    os.utime(path, ns=(1, 1))
    assert languages.get(str(path)).code == "ro"


def test_a_capital_is_one_letter():
    """A word whose first letter has no single capital does not change."""
    assert model_files.capitalised("élan", {}) == "Élan"
    assert model_files.capitalised("ßa", {}) == "ßa"
    assert model_files.capitalised("ışık", {"ı": "I"}) == "Işık"
    assert model_files.capitalised("", {}) == ""
