"""Words of scripts without spaces, by ICU."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import sentences

from corpusprep.errors import LanguageError
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.word_breaking import WordBreakingTokenizer


@pytest.fixture(scope="module")
def chinese():
    """A tokeniser of Chinese, if PyICU is installed."""
    pytest.importorskip("icu")
    return WordBreakingTokenizer("zh")


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        ("zh", "我们的iPhone很快, 123。", ["我们", "的", "iPhone", "很快", ",", "123", "。"]),
        ("ja", "日本語のテキストです。", ["日本語", "の", "テキスト", "です", "。"]),
        ("th", "ภาษาไทยเป็นภาษา", ["ภาษา", "ไทย", "เป็น", "ภาษา"]),
        ("en", "It's 10:30, e.g. here", ["It's", "10:30", ",", "e.g.", "here"]),
        ("zh", "𠀀們 x", ["𠀀", "們", "x"]),
        ("zh", "", []),
    ],
)
def test_characters_are_joined_to_words(code, text, words):
    """Words are those of ICU's dictionaries; tokens of other scripts do not change."""
    pytest.importorskip("icu")
    assert [token.text for token in WordBreakingTokenizer(code).tokenize(text)] == words


@given(st.text("我们的语言。,a1 \u0301ภาษาไทยเป็น日本語𠀀<&", max_size=40))
def test_words_are_made_of_the_tokens(chinese, text):
    """For any text, characters and white space are the same, and no token is split."""
    tokens, words = Tokenizer().tokenize(text), chinese.tokenize(text)
    joined, plain = (
        "".join(token.text if token.glued else f" {token.text}" for token in one) for one in (words, tokens)
    )
    assert joined == plain
    assert len(words) <= len(tokens)


def test_the_vertical_is_that_of_the_tokeniser(chinese):
    """The lines are the same if no characters are joined; counts are numbers of tokens."""
    texts, headings = [sentences.ENGLISH, "A <b> & c", ""], [True, False, False]
    assert chinese.vertical(texts, headings) == Tokenizer().vertical(texts, headings)
    lines, counts = chinese.vertical(["我们 的"], [False])
    assert lines.decode() == '<p heading="0" block="0">\n我们\n的\n</p>\n'
    assert counts == [2]


def test_missing_pyicu_is_named(monkeypatch):
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "icu", None)
    with pytest.raises(LanguageError, match=r"corpusprep\[icu\]"):
        WordBreakingTokenizer("zh")


class WholeRuns:
    """Stands for ICU, and takes any run of characters for one word."""

    UnicodeString = Locale = str

    class BreakIterator:
        """The breaker of a language."""

        createWordInstance = classmethod(lambda cls, locale: cls())  # noqa: N815

        def setText(self, text):  # noqa: N802
            """Takes a text."""
            self._size = len(text.encode("utf-16-le")) // 2

        def __iter__(self):
            return iter([self._size])


def test_words_end_at_zero_width_spaces(monkeypatch):
    """Of Khmer, whatever ICU says of the letters on both sides; the marks are in no token."""
    monkeypatch.setitem(sys.modules, "icu", WholeRuns)
    text = "\u1780\u1781\u200b\u1782\u17b7\u1783 \u1784\u200b\u1784, a"
    assert [(token.text, token.glued) for token in WordBreakingTokenizer("km").tokenize(text)] == [
        *(("\u1780\u1781", False), ("\u1782\u17b7\u1783", True), ("\u1784", False), ("\u1784", True), (",", True)),
        ("a", False),
    ]
