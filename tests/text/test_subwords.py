"""Tokens of the tokeniser of a model."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.small_tokenizer import tokens_of, write_tokenizer

from corpusprep.errors import ConfigError, MissingPackageError
from corpusprep.text.subwords import SubwordTokenizer


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokeniser in a file."""
    return write_tokenizer(tmp_path_factory.mktemp("model") / "tokenizer.json")


@given(st.lists(st.text(alphabet="the Ab\n\u00e9\u4e2d\U0001f600", max_size=20), max_size=5))
def test_tokens_are_those_of_the_merges(path: Path, texts: list[str]) -> None:
    """Of each text, in any company."""
    assert SubwordTokenizer.read(path).count(texts) == list(map(tokens_of, texts))


def test_what_a_file_sets_for_training_has_no_effect(path: Path, tmp_path: Path) -> None:
    """Texts are not cut or padded; dropout, which is chance, and tokens around a text do not count."""
    described = json.loads(path.read_text(encoding="utf-8"))
    described["truncation"] = {"max_length": 3, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    described["padding"] = {
        "strategy": {"Fixed": 9},
        **{"direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "!"},
    }
    described["model"]["dropout"] = 0.9
    special = {"id": "!", "ids": [0], "tokens": ["!"]}
    begin = {"SpecialToken": {"id": "!", "type_id": 0}}
    described["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [begin, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"!": special},
    }
    other = tmp_path / "tokenizer.json"
    other.write_text(json.dumps(described), encoding="utf-8")
    texts = ["the other mother", "a", ""]
    assert SubwordTokenizer.read(other).count(texts) == list(map(tokens_of, texts)) == [10, 1, 0]


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read: No such file"), (b"\xff", "not UTF-8"), (b"{}", "not a tokeniser"), (b"[1", "not a tok")],
)
def test_what_is_no_tokeniser_is_named(tmp_path: Path, content: bytes | None, said: str) -> None:
    """In one line, with what to give."""
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=said) as raised:
        SubwordTokenizer.read(path)
    assert str(raised.value).startswith(str(path))
    assert str(raised.value).endswith("give the tokenizer.json of a model")
    assert "\n" not in str(raised.value)


def test_the_library_is_an_extra(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is named, and how to install it."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingPackageError, match=r"needs tokenizers: .* -m pip install 'corpusprep\[tokenizers\]'"):
        SubwordTokenizer.read(path)
