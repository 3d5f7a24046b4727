"""Words of scripts without spaces, by ICU and other packages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import sentences

from corpusprep.errors import LanguageError
from corpusprep.text import word_dividers
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.word_breaking import WordBreakingTokenizer
from corpusprep.text.word_dividers import DIVIDERS, divider_of


def breaking(name: str, code: str) -> WordBreakingTokenizer:
    """A tokeniser with a divider, if its packages are installed."""
    for module in DIVIDERS[name].modules:
        pytest.importorskip(module)
    divider = divider_of(name, code)
    assert divider is not None
    return WordBreakingTokenizer(divider.make(code))


@pytest.fixture(scope="module")
def chinese():
    """A tokeniser of Chinese, if PyICU is installed."""
    return breaking("icu", "zh")


@pytest.mark.parametrize(
    ("name", "code", "text", "words"),
    [
        ("icu", "zh", "我们的iPhone很快, 123。", ["我们", "的", "iPhone", "很快", ",", "123", "。"]),
        ("icu", "ja", "日本語のテキストです。", ["日本語", "の", "テキスト", "です", "。"]),
        ("icu", "th", "ภาษาไทยเป็นภาษา", ["ภาษา", "ไทย", "เป็น", "ภาษา"]),
        ("icu", "en", "It's 10:30, e.g. here", ["It's", "10:30", ",", "e.g.", "here"]),
        ("icu", "zh", "𠀀們 x", ["𠀀", "們", "x"]),
        ("icu", "zh", "", []),
        ("jieba", "zh", "我们的iPhone很快, 123。", ["我们", "的", "iPhone", "很快", ",", "123", "。"]),
        ("fugashi", "ja", "日本語のテキストです。", ["日本", "語", "の", "テキスト", "です", "。"]),
        ("pythainlp", "th", "ภาษาไทยเป็นภาษา", ["ภาษาไทย", "เป็น", "ภาษา"]),
    ],
)
def test_characters_are_joined_to_words(name, code, text, words):
    """Words are those of the divider; tokens of other scripts do not change."""
    assert [token.text for token in breaking(name, code).tokenize(text)] == words


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


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("icu", "zh", r"icu needs PyICU for the language zh \(characters needs nothing\): .*'corpusprep\[icu\]'$"),
        ("words", "zh-Hans", r"words needs jieba for the language zh-Hans .*'corpusprep\[words\]'$"),
        ("words", "ja", r"words needs fugashi and unidic-lite for the language ja .*'corpusprep\[words\]'$"),
        ("words", "km", r"words needs PyICU for the language km .*'corpusprep\[icu\]'$"),
        ("jieba", "ja", "jieba is for the language zh, and this one is ja; set words, icu or characters"),
    ],
)
def test_missing_dividers_are_named(monkeypatch, name, code, message):
    """The message says what to install, or what else to set."""
    monkeypatch.setattr(word_dividers, "find_spec", lambda module: None)
    with pytest.raises(LanguageError, match=message):
        divider_of(name, code)


@pytest.mark.parametrize(("name", "code"), [("characters", "zh"), ("words", "en"), ("words", "")])
def test_nothing_is_needed(name, code):
    """Languages with spaces have no divider by `words`."""
    assert divider_of(name, code) is None


def test_words_end_at_zero_width_spaces():
    """Of Khmer, whatever a divider says of the letters on both sides; the marks are in no token."""
    whole = WordBreakingTokenizer(lambda text: [text])
    text = "\u1780\u1781\u200b\u1782\u17b7\u1783 \u1784\u200b\u1784, a"
    assert [(token.text, token.glued) for token in whole.tokenize(text)] == [
        *(("\u1780\u1781", False), ("\u1782\u17b7\u1783", True), ("\u1784", False), ("\u1784", True), (",", True)),
        ("a", False),
    ]
