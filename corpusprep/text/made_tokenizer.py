"""Makes the tokeniser of a corpus from its settings."""

from pathlib import Path

from corpusprep.languages import LanguageModel
from corpusprep.text.own_tokenizer import OwnTokenizer
from corpusprep.text.sentences import Sentences
from corpusprep.text.tokenizer import Tokenizer


def made_tokenizer(
    language: LanguageModel, unspaced: str, own: str | None, code: Path, *, sentences: bool = False
) -> Tokenizer | OwnTokenizer:
    """Returns the tokeniser of a corpus.

    Args:
        language: the model of its language, which has abbreviations and clitics.
        unspaced: tokens of scripts without spaces: one of text.tokens.UNSPACED.
        own: the name of another tokeniser.
        code: the folder of a user's own.
        sentences: whether it marks sentences.

    Raises:
        ConfigError: there is no such tokeniser.
        LanguageError: PyICU is not installed.
    """
    rules = language.abbreviations, language.clitic_prefixes, language.clitic_suffixes
    marked = Sentences(language.stop_list, language.code) if sentences else None
    if own is not None:
        return OwnTokenizer.load(own, code, marked)
    if unspaced == "icu":
        from corpusprep.text.word_breaking import WordBreakingTokenizer  # with NumPy, which other corpora do without

        return WordBreakingTokenizer(language.code, *rules, marked)
    return Tokenizer(*rules, marked)
