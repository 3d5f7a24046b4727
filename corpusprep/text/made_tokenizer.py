"""Makes the tokeniser of a corpus from its settings."""

from collections.abc import Iterable
from pathlib import Path

from corpusprep.languages import LanguageModel
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.word_dividers import divider_of


def made_tokenizer(
    language: LanguageModel,
    unspaced: str,
    own: str | None,
    code: Path,
    *,
    sentences: bool = False,
    words: Iterable[str] = (),
) -> Tokenizer | OwnTokenizer:
    """Returns the tokeniser of a corpus.

    Args:
        language: the model of its language, which has abbreviations and clitics.
        unspaced: tokens of scripts without spaces: a value of the setting.
        own: the name of another tokeniser.
        code: the folder of a user's own.
        sentences: whether it marks sentences.
        words: words that are one token, beside those of the language.

    Raises:
        ConfigError: there is no such tokeniser.
        LanguageError: what divides words is not installed, or does not know the language.
    """
    marked = Sentences(language.stop_list, language.code) if sentences else None
    if own is not None:
        return OwnTokenizer.load(own, code, marked)
    divider = divider_of(unspaced, language.code)
    if divider is not None:
        from corpusprep.text.word_breaking import WordBreakingTokenizer  # with NumPy, which other corpora do without

        return WordBreakingTokenizer(
            divider.make(language.code),
            language.abbreviations,
            language.clitic_prefixes,
            language.clitic_suffixes,
            marked,
            words=(*language.whole_words, *words),
            joints=language.joints,
            apart=language.apart,
        )
    return built_in_tokenizer(language, marked, words)


def built_in_tokenizer(
    language: LanguageModel, sentences: Sentences | None = None, words: Iterable[str] = ()
) -> Tokenizer:
    """Returns the built-in tokeniser with the rules of a language, and further words that are one token."""
    return Tokenizer(
        language.abbreviations,
        language.clitic_prefixes,
        language.clitic_suffixes,
        sentences,
        words=(*language.whole_words, *words),
        joints=language.joints,
        apart=language.apart,
    )
