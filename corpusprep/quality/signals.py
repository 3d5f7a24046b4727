"""The signals of a document's quality: their names, what they need, and the table of a batch.

Those of the text are measured in one pass (native/quality/signals.hpp, with the sources). The others come from the
tables of the stages before.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from corpusprep._native.quality import SIGNALS, LetterModel, ListedPhrases, QualitySignals
from corpusprep.languages.model import LanguageModel
from corpusprep.languages.word_evidence import SHARE_UNIT
from corpusprep.quality.classifier import QualityModel
from corpusprep.quality.words import exceptions_of, splitting_of
from corpusprep.tables import schemas

#: Signals that need words that spaces divide, or the marks of sentences in scripts that have such words.
OF_WORDS = frozenset(
    [
        "words",
        "mean_word_length",
        "distinct_words",
        "stop_words",
        "stop_word_share",
        "alphabetic_words",
        "hashes",
        "ellipses",
        "line_breaks",
        "short_lines",
        "sentences",
        "web_line_words",
        "longest_word",
        "sentence_end",
        "perplexity",
        *(f"top_{n}grams" for n in (2, 3, 4)),
        *(f"repeated_{n}grams" for n in range(5, 11)),
    ]
)
#: Signals that need a list of stop words.
OF_STOP_WORDS = frozenset(["stop_words", "stop_word_share"])
#: Gopher's stop words (Rae et al. 2021, A.1.1). Other languages have as many: their most frequent words.
ENGLISH_STOP_WORDS = ("the", "be", "to", "of", "and", "that", "have", "with")
#: The signal of a classifier that a user has trained.
MODEL_SCORE = "model_score"
#: The signal that a model of letters gives, and the share of running words that its word list has at least.
PERPLEXITY, LEAST_COVERED = "perplexity", 0.5
_COST_UNIT = 1 << 16
#: The signal of a list of words that a user names.
LISTED_WORDS = "listed_words"
#: Names that rules may use.
NAMES = tuple(
    name for name, kind in schemas.QUALITY.items() if kind.is_numeric() and name not in ("record", "document")
)


def kernel_of(model: LanguageModel) -> QualitySignals:
    """Returns the kernel that measures documents of a language."""
    stop_words = ENGLISH_STOP_WORDS if model.code == "en" else model.stop_list[: len(ENGLISH_STOP_WORDS)]
    return QualitySignals(exceptions_of(model.code), stop_words, *splitting_of(model.code))


def letters_of(model: LanguageModel) -> LetterModel | None:
    """Returns the model of letters of a language, made from its word list; None if it has no list to speak of."""
    if model.characters_per_word or not _has_words(model):
        return None
    return LetterModel(model.words.text, model.words.shares)


def _has_words(model: LanguageModel) -> bool:
    return int(model.words.shares.sum(dtype="uint64")) >= LEAST_COVERED * SHARE_UNIT


def lacking(model: LanguageModel) -> dict[str, str]:
    """Returns the signals that say nothing about a language, each with the reason."""
    if model.characters_per_word:
        return dict.fromkeys(OF_WORDS, f"{model.name} is written without spaces between words")
    found = {} if model.stop_list else dict.fromkeys(OF_STOP_WORDS, f"{model.name} has no stop words")
    return found if _has_words(model) else {**found, PERPLEXITY: f"{model.name} has too short a word list"}


def measured(
    kernel: QualitySignals,
    texts: Sequence[str],
    numbers: Iterable[tuple[Any, ...]],
    letters: LetterModel | None = None,
    classifier: QualityModel | None = None,
    listed: ListedPhrases | None = None,
) -> pl.DataFrame:
    """Returns the signals of texts, beside what identifies their documents.

    Args:
        kernel: of their language.
        texts: the text of each document, a line per block.
        numbers: record, document and further values of each (`FROM_TABLES`).
        letters: of their language; without it, documents have no perplexity.
        classifier: the user's own; without it, documents have no score of it.
        listed: the user's own list of words; without it, documents have no share of it.

    Returns:
        The columns of schemas.QUALITY that are numbers.
    """
    columns = ("record", "document", *FROM_TABLES)
    about = pl.DataFrame(list(numbers), {name: schemas.QUALITY[name] for name in columns}, orient="row")
    table = pl.DataFrame(kernel.measure(texts), dict.fromkeys(SIGNALS, pl.Float64), orient="row")
    whole = [pl.col(name).cast(kind) for name, kind in schemas.QUALITY.items() if name in SIGNALS and kind.is_integer()]
    scores = [None] * len(texts) if classifier is None else classifier.scores(texts)
    shares = (
        [None] * len(texts)
        if listed is None
        else [found / max(1, words) for found, words in listed.measure(texts).tolist()]
    )
    perplexities = [None] * len(texts) if letters is None else _perplexities(letters, texts)
    return about.hstack(table.with_columns(whole)).with_columns(
        pl.Series(PERPLEXITY, perplexities, pl.Float64),
        pl.Series(LISTED_WORDS, shares, pl.Float64),
        pl.Series(MODEL_SCORE, scores, pl.Float64),
    )


def _perplexities(letters: LetterModel, texts: Sequence[str]) -> list[float | None]:
    """Returns the perplexity per letter of each text, to 3 decimals; None for one without a word."""
    return [
        round(math.exp(cost / (number * _COST_UNIT)), 3) if number else None
        for cost, number in letters.measure(texts).tolist()
    ]


#: Signals that are no signals of the text itself.
FROM_TABLES = tuple(name for name in NAMES if name not in (*SIGNALS, MODEL_SCORE, PERPLEXITY, LISTED_WORDS))
