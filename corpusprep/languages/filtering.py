"""Stage `language`: keeps the documents that are in the corpus language (Pomikálek 2011, 3.6).

A corpus of any language keeps all documents; their language is named.
"""

from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import polars as pl

from corpusprep.errors import OwnCodeError
from corpusprep.io import own_code
from corpusprep.io.progress import track
from corpusprep.languages import LanguageModel
from corpusprep.languages.identifiers import IDENTIFIERS, identifier
from corpusprep.languages.rivals import RivalScorer
from corpusprep.languages.scripts import is_in_no_language
from corpusprep.languages.tags import NO_LANGUAGE
from corpusprep.languages.word_evidence import TextWords
from corpusprep.tables import schemas
from corpusprep.tables.good_texts import good_texts
from corpusprep.tables.verdicts import KEPT
from corpusprep.tables.writing import RowBuffer

#: A block with fewer characters is not judged on its own. On single sentences of at least this length in twelve
#: languages, 1.0 % of a language's own sentences are rejected, and 99.94 % of the other languages' are.
BLOCK_CHARACTERS = 100


def filter_documents(
    pages: pl.DataFrame,
    boilerplate: Path,
    judge: "Judging",
    language: str,
    level: str,
    min_words: int,
) -> pl.DataFrame:
    """Decides about each document by its good text.

    Holds a few documents in memory at a time.

    Args:
        pages: columns batch, record and verdict of a batch's table of pages, in record order; the documents are the
            pages that were kept.
        boilerplate: path of the batch's table of blocks.
        judge: decides about texts (judges.judge_of).
        language: code of the corpus language.
        level: `document`, or `block`: good blocks of at least BLOCK_CHARACTERS that do not pass on their own are left
            out, and the document is judged by the other blocks. A document with no other block is judged as a whole.
        min_words: a document with fewer words in its good blocks is removed, whatever its language.

    Returns:
        schemas.LANGUAGE, one row per document, in the order of the pages. Without rivals, the rival columns are null.

    Raises:
        StageFileError: the table of blocks cannot be read, or its rows are out of order.
        OwnCodeError: an identifier of another package or a user's own fails, or gives no scores.
    """
    nothing = pl.lit([], dtype=pl.List(pl.UInt32))
    documents = pages.filter(pl.col("verdict") == KEPT).select("batch", "record", left_out=nothing)
    columns = RowBuffer(schemas.LANGUAGE)
    rows = zip(documents["batch"], good_texts(boilerplate, documents), strict=True)
    for batch, scored in track(rows, "language: documents", len(documents)):
        texts = scored.texts
        foreign = [level == "block" and judge.is_foreign(text) for text in texts]
        if all(foreign):
            foreign = [False] * len(texts)
        judged = judge("\n".join(text for text, out in zip(texts, foreign, strict=True) if not out))
        verdict = judged.verdict if sum(scored.words) >= min_words else "short_document"
        left_out = list(compress(scored.blocks, foreign)) if verdict == KEPT else []
        scores = judged.score, judged.rival, judged.rival_score
        columns.append(batch, scored.record, judged.language or language, *scores, left_out, [], verdict)
    return columns.frame()


class Judged(NamedTuple):
    """A text's score, its best rival with its score, and the verdict; in a corpus of any language, its language."""

    score: float
    rival: str | None
    rival_score: float | None
    verdict: str
    language: str | None = None


class Judging(Protocol):
    """Decides about texts."""

    def __call__(self, text: str) -> Judged:
        """Judges the text."""

    def is_foreign(self, text: str) -> bool:
        """Returns whether a block is long enough to be judged on its own, and does not pass."""


class Scorer(Protocol):
    """Scores texts for a language and its rivals; its class is made from their models."""

    def scores(self, text: str) -> Sequence[float]:
        """Returns the score of the text for the language, then for each rival, 0 to 1."""


class _CheckedScorer:
    """An identifier of another package, or a user's own, with its answers checked."""

    def __init__(self, name: str, made: Any, models: tuple[LanguageModel, Sequence[LanguageModel]]) -> None:
        self._name, self._count = name, 1 + len(models[1])
        try:
            self._scorer = made(*models)
        except Exception as error:
            raise OwnCodeError(f"{name}: making it failed: {own_code.described(error)}") from None

    def scores(self, text: str) -> list[float]:
        """Returns the score of the text for the language, then for each rival, 0 to 1."""
        try:
            scores = [float(score) for score in self._scorer.scores(text)]
        except Exception as error:
            raise OwnCodeError(f"{self._name}: scores failed: {own_code.described(error)}") from None
        if len(scores) != self._count or not all(0 <= score <= 1 for score in scores):
            raise OwnCodeError(f"{self._name}: scores gave {scores}; allowed: {self._count} numbers from 0 to 1")
        return scores


class Judge:
    """Decides whether a text is in the corpus language."""

    def __init__(
        self,
        model: LanguageModel,
        rivals: Sequence[LanguageModel],
        threshold: float,
        method: str,
        code: Path = Path(),
    ) -> None:
        """Makes a judge.

        Args:
            model: the corpus language.
            rivals: a text is rejected if it scores higher for one of these languages.
            threshold: the lowest score that is kept, 0 to 1.
            method: a name of IDENTIFIERS.
            code: the folder of a user's own identifier.
        """
        self._rivals, self._threshold = rivals, threshold
        made = identifier(method, code)
        self._scorer: Scorer = (
            made(model, rivals) if method in IDENTIFIERS.built_in else _CheckedScorer(method, made, (model, rivals))
        )

    def __call__(self, text: str, measured: tuple[Sequence[float], TextWords] | None = None) -> Judged:
        """Judges the text; code, tables of numbers and lists of names are in no language.

        Args:
            text: the text.
            measured: its trigram scores for the language and each rival, and its words, if they are known. For a text
                that is kept, the rival with the highest score is then not always looked for.
        """
        if measured is not None and isinstance(self._scorer, RivalScorer):
            (score, *others), words = measured
            if score >= self._threshold and self._scorer.surely_wins(words, score, others):
                return self._kept(text, score, None, None)
            score, *others = self._scorer.adjust(words, score, others)
        else:
            score, *others = self._scorer.scores(text)
        # Of equal rivals, the first: their order is fixed.
        rival_score = max(others, default=None)
        rival = None if rival_score is None else self._rivals[others.index(rival_score)].code
        if score < self._threshold:
            return Judged(score, rival, rival_score, "language_score")
        if rival_score is not None and rival_score > score:
            return Judged(score, rival, rival_score, "rival_language")
        return self._kept(text, score, rival, rival_score)

    def _kept(self, text: str, score: float, rival: str | None, rival_score: float | None) -> Judged:
        """Keeps a text that its score keeps, unless it is in no language."""
        if is_in_no_language(text):
            return Judged(score, NO_LANGUAGE, None, "language_score")
        return Judged(score, rival, rival_score, KEPT)

    def is_foreign(self, text: str) -> bool:
        """Returns whether a block is long enough to be judged on its own, and does not pass."""
        return len(text) >= BLOCK_CHARACTERS and self(text).verdict != KEPT
