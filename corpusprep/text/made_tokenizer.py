"""Makes the tokeniser of a corpus from its settings."""

from pathlib import Path

from corpusprep.languages import LanguageModel
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import Tokenizer
from corpusprep.text.word_dividers import divider_of


def made_tokenizer(
    language: LanguageModel, unspaced: str, own: str | None, code: Path, *, sentences: bool = False
) -> Tokenizer | OwnTokenizer:
    """Returns the tokeniser of a corpus.

    Args:
        language: the model of its language, which has abbreviations and clitics.
        unspaced: tokens of scripts without spaces: a value of the setting.
        own: the name of another tokeniser.
        code: the folder of a user's own.
        sentences: whether it marks sentences.

    Raises:
        ConfigError: there is no such tokeniser.
        LanguageError: what divides words is not installed, or does not know the language.
    """
    rules = language.abbreviations, language.clitic_prefixes, language.clitic_suffixes
    marked = Sentences(language.stop_list, language.code) if sentences else None
    if own is not None:
        return OwnTokenizer.load(own, code, marked)
    divider = divider_of(unspaced, language.code)
    if divider is not None:
        from corpusprep.text.word_breaking import WordBreakingTokenizer  # with NumPy, which other corpora do without

        return WordBreakingTokenizer(divider.make(language.code), *rules, marked)
    return Tokenizer(*rules, marked)
