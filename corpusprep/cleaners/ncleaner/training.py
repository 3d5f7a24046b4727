"""Trains a model of NCLEANER: counts trigrams of characters in clean and in dirty segments (Evert 2008).

Probabilities of orders 3, 2, 1 and 0 (all symbols alike) are interpolated with geometric weights: each order has the
same share of what the higher ones leave. An order whose context was never seen is left out.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpusprep._native import unicode
from corpusprep._native.ncleaner import CHARACTER_CLASSES, Symbols
from corpusprep.cleaners.block_models import THRESHOLDS, TOP_SCORE, score_borders
from corpusprep.cleaners.content.training import examples as reading
from corpusprep.cleaners.content.training.examples import Examples, fold_of
from corpusprep.cleaners.content.training.train import (
    LEAST_GROUPS,
    LEAST_PAGES,
    card_of,
    family,
    read_gold_sets,
    write_pages,
)
from corpusprep.cleaners.content.training.validation import FOLDS, best_thresholds, counts, quality_by_threshold
from corpusprep.cleaners.ncleaner.character_models import UNIT, CharacterModel, is_plain_boilerplate, write_model
from corpusprep.errors import ConfigError
from corpusprep.gold.page_scores import CROSS, LEFT_OUT
from corpusprep.gold.pages import GoldSet

#: Symbols at most: the ends of a text, the classes, and frequent characters. With 256, F1 differs by under 0.2 points.
MOST_SYMBOLS = 128
#: Trigrams that are counted at once: bounds the memory.
COUNTED_AT_ONCE = 1 << 22
#: Logits of a score per natural logarithm of the ratio of probabilities. The characters of a segment depend on each
#: other, so the ratio says more than is known: the best thresholds lie between 3 and 30 logarithms (docs/methods.md).
SCALE = 0.05
#: The symbol of capital letters, in a model of classes.
_CAPITAL = CHARACTER_CLASSES + 1


@dataclass(slots=True, frozen=True)
class NcleanerPlan:
    """How a model is trained.

    Attributes:
        lexical: whether letters have symbols of their own; if not, letters, capitals and numbers are classes.
        language: code of the language whose pages are taken, with a user's own pages that state none; empty: all pages.
        share: of probability that each order of n-grams has, of what the higher orders leave.
        least_count: occurrences of a character that has a symbol of its own, in all segments.
        least_trigrams: occurrences from which on a trigram is listed, in all segments.
        most_trigrams: listed trigrams; those whose weights matter least for the segments are dropped first.
    """

    lexical: bool = True
    language: str = ""
    share: float = 0.5
    least_count: int = 20
    least_trigrams: int = 2
    most_trigrams: int = 200_000


def train(gold: Sequence[str], data: Path | None, output: Path, plan: NcleanerPlan, say: Callable[[str], None]) -> None:
    """Trains on gold sets; writes the model, and beside it `<name>.pages.tsv` with the scores of each page.

    Args:
        gold: names of known sets, read from `data`, or folders with `html/`, and `gold/` or sheets.
        data: the folder of the known sets.
        output: the file of the model; its name is the name of the model.
        plan: how it is trained.
        say: is told what is being done.

    Raises:
        ConfigError: a set is unknown or absent, two have one name, or there are too few pages.
        GoldError: the files of a set are damaged.
    """
    gold_sets = read_gold_sets(gold, data, say, plan.language)
    others = Counter(page.language for gold_set in gold_sets.values() for page in gold_set.pages)
    del others[plan.language]
    left_out = f"left out: pages of other languages ({', '.join(f'{n:,} {code}' for code, n in others.most_common())})"
    if plan.language and others:
        say(left_out)
    for gold_set in gold_sets.values():
        gold_set.pages = [page for page in gold_set.pages if not plan.language or page.language == plan.language]
    gold_sets = {name: gold_set for name, gold_set in gold_sets.items() if gold_set.pages}
    examples = reading.read(list(gold_sets.values()), made=False)
    usable = [page for page in examples.pages if not page.left_out]
    groups = len({page.group for page in usable})
    if len(usable) < LEAST_PAGES or groups < LEAST_GROUPS:
        raise ConfigError(
            f"too small to train on: {len(usable)} usable pages of {groups} hosts; at least {LEAST_PAGES} pages of "
            f"{LEAST_GROUPS} hosts are needed" + (f"; {left_out}" if plan.language and others else "")
        )
    say(f"{len(usable):,} pages of {groups:,} hosts, {len(examples):,} segments")
    trainer = Trainer(examples, plan)
    families = np.array([family(page.gold_set) for page in examples.pages])
    folds = np.array([fold_of(page.group, FOLDS) for page in examples.pages])
    say("validating")
    cross = trainer.held_out(folds)
    sums = {CROSS: cross} | ({LEFT_OUT: trainer.held_out(families)} if len(set(families)) > 1 else {})
    scores = {protocol: trainer.scores(protocol_sums) for protocol, protocol_sums in sums.items()}
    quality = quality_by_threshold(examples, scores[list(scores)[-1]], families.tolist(), _kept)
    thresholds = best_thresholds(quality)
    rows = {
        protocol: list(counts(examples, _kept(examples, protocol_sums, thresholds["balanced"]), gold_sets))
        for protocol, protocol_sums in scores.items()
    }
    say("training")
    model = trainer.train(np.ones(len(examples.pages), np.bool_))
    languages = {page.language for page in usable}
    model = replace(
        model,
        thresholds=thresholds,
        language=languages.pop() if plan.lexical and len(languages) == 1 else "",
        card=card_of(output.stem, examples, gold_sets, rows),
    )
    write_model(output, model)
    write_pages(output.with_suffix(".pages.tsv"), examples, rows)


def fold_models(gold_sets: Sequence[GoldSet], plan: NcleanerPlan) -> Iterator[CharacterModel]:
    """Yields FOLDS models: number f has not seen the pages of fold f (examples.fold_of their hosts)."""
    examples = reading.read(gold_sets, made=False)
    trainer = Trainer(examples, plan)
    folds = np.array([fold_of(page.group, FOLDS) for page in examples.pages])
    for fold in range(FOLDS):
        yield trainer.train(folds != fold)


def _kept(_examples: Examples, scores: NDArray[np.uint16], threshold: int) -> NDArray[np.bool_]:
    """Returns whether each block is kept at a threshold per mille."""
    kept: NDArray[np.bool_] = scores >= threshold
    return kept


class Trainer:
    """Trains on subsets of pages. Segments without a label, and pages left out, teach nothing."""

    def __init__(self, examples: Examples, plan: NcleanerPlan) -> None:
        """A trainer; encodes the segments once."""
        self.examples, self.plan = examples, plan
        encoded = [text.encode() for text in examples.texts]
        self._text = b"".join(encoded)
        self._offsets = np.concatenate(
            [[0], np.cumsum([len(page_text) for page_text in encoded], dtype=np.int64)]
        ).astype(np.int64)
        self._symbols = symbols_of(self._text, plan)
        left_out = np.array([bool(page.left_out) for page in examples.pages])
        self._page_of = examples.page_of()
        self._known = (examples.labels >= 0) & ~left_out[self._page_of]
        self._clean = examples.labels >= 0.5
        encoder = Symbols(*self._symbols[:3])
        self._keys, self._segments = trigram_keys(*encoder.encode(self._text, self._offsets), self.size)
        self.removed: NDArray[np.bool_] = np.zeros(len(examples), np.bool_)
        model = self.train(np.zeros(len(examples.pages), np.bool_))
        _, bars, letters = model.native.measure(self._text, self._offsets)
        self.removed = is_plain_boilerplate(bars, letters)

    @property
    def size(self) -> int:
        """The number of symbols."""
        return self._symbols[3]

    def train(self, chosen: NDArray[np.bool_]) -> CharacterModel:
        """Trains on the chosen pages, shape (pages,); its thresholds are all where both texts are as probable."""
        taught = chosen[self._page_of] & self._known & ~self.removed
        clean, dirty = (self._count(side) for side in (taught & self._clean, taught & ~self._clean))
        pairs, contexts, trigrams, weights = weights_of(clean, dirty, self.size, self.plan)
        characters, symbols, classes, _ = self._symbols
        return CharacterModel(
            characters,
            symbols,
            classes,
            pairs,
            contexts,
            trigrams,
            weights,
            score_borders(SCALE / UNIT),
            dict.fromkeys(THRESHOLDS, TOP_SCORE // 2),
            self.plan.lexical,
        )

    def _count(self, segments: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Returns the occurrences of each trigram in the chosen segments, shape (size^3,)."""
        counted = np.zeros(self.size**3, np.int64)
        for start in range(0, len(self._keys), COUNTED_AT_ONCE):
            part = slice(start, start + COUNTED_AT_ONCE)
            counted += np.bincount(self._keys[part][segments[self._segments[part]]], minlength=len(counted))
        return counted

    def held_out(self, parts: NDArray[np.generic]) -> NDArray[np.int64]:
        """Returns the sums of all segments, each by a model of the other parts; `parts` has shape (pages,)."""
        sums = np.zeros(len(self.examples), np.int64)
        for part in np.unique(parts):
            model = self.train(parts != part)
            inside = np.flatnonzero((parts == part)[self._page_of])
            starts, ends = self._offsets[inside], self._offsets[inside + 1]
            text = b"".join(self._text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))
            offsets = np.concatenate([[0], np.cumsum(ends - starts)]).astype(np.int64)
            sums[inside] = model.native.measure(text, offsets)[0]
        return sums

    def scores(self, sums: NDArray[np.int64]) -> NDArray[np.uint16]:
        """Returns the scores per mille of segments with these sums."""
        scores = np.searchsorted(score_borders(SCALE / UNIT), sums, side="right").astype(np.uint16)
        scores[self.removed] = 0
        return scores


def symbols_of(text: bytes, plan: NcleanerPlan) -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint8], int]:
    """Returns the characters that have symbols of their own, their symbols, the symbols of classes, and their number.

    Symbol 0 is the end of a text, those up to CHARACTER_CLASSES are classes.
    """
    characters, occurrences = np.unique(np.frombuffer(text.decode().encode("utf-32-le"), "<u4"), return_counts=True)
    classes = np.frombuffer(unicode.unicode_classes(), np.uint8)
    frequent = occurrences >= plan.least_count
    if not plan.lexical:
        frequent &= ~np.isin(classes[characters], [unicode.LETTER, unicode.MARK, unicode.NUMBER])
    first = CHARACTER_CLASSES + 1 + (not plan.lexical)
    order = np.lexsort((characters[frequent], -occurrences[frequent]))[: MOST_SYMBOLS - first]
    own = np.sort(characters[frequent][order]).astype(np.uint32)
    size = first + len(own)
    symbols = np.arange(first, size).astype(np.uint8)
    if not plan.lexical:
        capitals = _capitals(classes)
        own = np.concatenate([own, capitals])
        symbols = np.concatenate([symbols, np.full(len(capitals), _CAPITAL, np.uint8)])
    ascending = np.argsort(own)
    return own[ascending], symbols[ascending], np.arange(1, CHARACTER_CLASSES + 1).astype(np.uint8), size


def _capitals(classes: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Returns the letters that have a lower-case form."""
    letters = np.flatnonzero(classes == unicode.LETTER).tolist()
    return np.array([letter for letter in letters if unicode.lower(chr(letter)) != chr(letter)], np.uint32)


def trigram_keys(
    symbols: NDArray[np.uint8], offsets: NDArray[np.int64], size: int
) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Returns the trigrams of all segments, each ended and begun with symbol 0, and the segment of each trigram."""
    lengths = np.diff(offsets)
    segments = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths + 1)
    # Each segment with two ends before it and one after it.
    padded = np.zeros(len(symbols) + 3 * len(lengths), np.uint32)
    places = np.arange(len(symbols)) + 3 * np.repeat(np.arange(len(lengths)), lengths) + 2
    padded[places] = symbols
    last = np.arange(len(segments)) + 2 * (segments + 1)
    keys: NDArray[np.uint32] = (padded[last - 2] * np.uint32(size) + padded[last - 1]) * np.uint32(size) + padded[last]
    return keys, segments


def weights_of(
    clean: NDArray[np.int64], dirty: NDArray[np.int64], size: int, plan: NcleanerPlan
) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.uint32], NDArray[np.int16]]:
    """Returns the arrays pairs, contexts, trigrams and weights of a CharacterModel.

    Args:
        clean: occurrences of each trigram in clean segments, shape (size^3,).
        dirty: those in dirty segments.
        size: number of symbols.
        plan: shares of orders, and what is listed.
    """
    occurrences = clean + dirty
    trigrams = np.flatnonzero(occurrences)
    occurrences = occurrences[trigrams]
    models = [_Probabilities(counted, trigrams, size, plan.share) for counted in (clean, dirty)]
    pairs = _rounded(np.log(models[0].pairs) - np.log(models[1].pairs))
    seen = [model.seen.astype(np.int64) for model in models]
    contexts = _rounded(np.log(1 - plan.share) * (seen[0] - seen[1]))
    weights = _rounded(np.log(models[0].trigrams) - np.log(models[1].trigrams))
    context, symbol = np.divmod(trigrams, size)
    unlisted = pairs[context % size, symbol].astype(np.int64) + contexts.ravel()[context]
    matters = np.abs(weights - unlisted) * occurrences
    listed = (occurrences >= plan.least_trigrams) & (matters > 0)
    order = np.lexsort((trigrams, -matters))
    chosen = np.sort(order[listed[order]][: plan.most_trigrams])
    return pairs, contexts, trigrams[chosen].astype(np.uint32), weights[chosen]


class _Probabilities:
    """Interpolated probabilities of symbols.

    Attributes:
        pairs: float64, (size, size): of a symbol after another one.
        seen: bool, (size, size): whether a trigram with these first two symbols occurred.
        trigrams: float64: of the last symbol of each of the trigrams asked for.
    """

    def __init__(self, counted: NDArray[np.int64], trigrams: NDArray[np.int64], size: int, share: float) -> None:
        lower = 1 - share
        two = counted.reshape(size, size, size).sum(axis=0)
        unigrams = two.sum(axis=0)
        single = share * unigrams / unigrams.sum() + lower / size if unigrams.any() else np.full(size, 1 / size)
        after = two.sum(axis=1, keepdims=True)
        self.pairs = np.where(after > 0, share * two / np.maximum(after, 1) + lower * single, single)
        of_context = counted.reshape(size, size, size).sum(axis=2)
        self.seen = of_context > 0
        context, symbol = np.divmod(trigrams, size)
        below = self.pairs[context % size, symbol]
        total = of_context.ravel()[context]
        self.trigrams = np.where(total > 0, share * counted[trigrams] / np.maximum(total, 1) + lower * below, below)


def _rounded(values: NDArray[np.float64]) -> NDArray[np.int16]:
    """Returns natural logarithms as whole weights."""
    return np.clip(np.rint(UNIT * values), -32768, 32767).astype(np.int16)
