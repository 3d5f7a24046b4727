"""Presets of filters: the thresholds that papers publish, by signal (corpusprep/quality/signals.py)."""

from collections.abc import Mapping
from typing import NamedTuple


class Threshold(NamedTuple):
    """A document needs at least, or may have at most, this value of a signal."""

    signal: str
    least: bool
    value: float

    def __str__(self) -> str:
        """Returns what a document that is removed has: `words < 50`."""
        return f"{self.signal} {'<' if self.least else '>'} {self.value:g}"


def _at_least(signal: str, value: float) -> Threshold:
    return Threshold(signal, True, value)


def _at_most(signal: str, value: float) -> Threshold:
    return Threshold(signal, False, value)


#: Rae et al. 2021, section A.1.1.
_GOPHER_QUALITY = (
    _at_least("words", 50),
    _at_most("words", 100_000),
    _at_least("mean_word_length", 3),
    _at_most("mean_word_length", 10),
    _at_most("hashes", 0.1),
    _at_most("ellipses", 0.1),
    _at_most("bullet_lines", 0.9),
    _at_most("ellipsis_lines", 0.3),
    _at_least("alphabetic_words", 0.8),
    _at_least("stop_words", 2),
)
#: Rae et al. 2021, table A1.
_GOPHER_REPETITION = (
    _at_most("repeated_paragraphs", 0.3),
    _at_most("repeated_paragraph_characters", 0.2),
    _at_most("repeated_lines", 0.3),
    _at_most("repeated_line_characters", 0.2),
    _at_most("top_2grams", 0.2),
    _at_most("top_3grams", 0.18),
    _at_most("top_4grams", 0.16),
    _at_most("repeated_5grams", 0.15),
    _at_most("repeated_6grams", 0.14),
    _at_most("repeated_7grams", 0.13),
    _at_most("repeated_8grams", 0.12),
    _at_most("repeated_9grams", 0.11),
    _at_most("repeated_10grams", 0.1),
)
_GOPHER = _GOPHER_QUALITY + _GOPHER_REPETITION

#: Preset -> its thresholds, in the order in which a removed document names them.
PRESETS: Mapping[str, tuple[Threshold, ...]] = {
    "gopher": _GOPHER,
    # Raffel et al. 2020, section 2.2: the rules on whole pages.
    "c4": (_at_most("lorem_ipsum", 0), _at_most("curly_brackets", 0), _at_least("sentences", 5)),
    # Penedo et al. 2024, section 3.5: the filters that FineWeb adds to those of others.
    "fineweb": (
        _at_least("punctuated_lines", 0.12),
        _at_most("short_lines", 0.67),
        _at_most("repeated_characters", 0.01),
        _at_most("line_breaks", 0.3),
    ),
    # Penedo et al. 2023, sections 3.1 and G.2: Gopher's, and the share of words that the rules on lines would remove.
    "refinedweb": (*_GOPHER, _at_most("web_line_words", 0.05)),
    # For corpora of running text: what is a list, a table, a catalogue or in capitals has few function words (Schäfer,
    # Barbaresi and Bildhauer 2013), few marks that end lines, or few letters.
    "linguist": (
        _at_least("words", 20),
        _at_least("stop_word_share", 0.2),
        _at_least("punctuated_lines", 0.3),
        _at_least("letters", 0.75),
        _at_most("capitals", 0.3),
        _at_most("repeated_lines", 0.3),
    ),
}

#: Preset -> thresholds of single blocks, by signal (rules.BLOCK_SIGNALS).
BLOCK_PRESETS: Mapping[str, tuple[Threshold, ...]] = {
    # Raffel et al. 2020, section 2.2, and its published code: the rules on lines, which a block is here.
    "c4": (
        _at_most("longest_word", 1000),
        _at_least("sentence_end", 1),
        _at_least("words", 3),
        _at_most("policies", 0),
    ),
}
