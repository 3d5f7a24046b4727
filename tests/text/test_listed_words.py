"""A user's own words."""

from pathlib import Path

import pytest

from corpusprep import languages
from corpusprep.errors import ConfigError
from corpusprep.text.listed_words import read_words
from corpusprep.text.made_tokenizer import made_tokenizer


def test_words_are_one_token_each(tmp_path: Path) -> None:
    """Beside those of the language; also in scripts without spaces."""
    path = tmp_path / "words.txt"
    path.write_text("\ufeffC++\n\n .NET \n\u4e2d\u56fd\n", encoding="utf-8")
    words = read_words(str(path))
    assert words == ["C++", ".NET", "\u4e2d\u56fd"]
    tokenizer = made_tokenizer(languages.get("it"), "characters", None, tmp_path, words=words)
    tokens = [token.text for token in tokenizer.tokenize("un po' di C++, C++11 e .NET \u4e2d\u56fd\u4eba")]
    assert tokens == ["un", "po'", "di", "C++", ",", "C", "++", "11", "e", ".NET", "\u4e2d\u56fd", "\u4eba"]
    assert read_words(None) == []


@pytest.mark.parametrize(("content", "message"), [(b"a\nb c\n", "line 2: word 'b c'"), (b"\xff", "cannot read")])
def test_a_list_that_cannot_be_used_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    """With the line; a file that is not there, too."""
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        read_words(str(path))
    with pytest.raises(ConfigError, match="No such file"):
        read_words(str(tmp_path / "none.txt"))
