"""Evidence of words for languages, compared with a plain computation for each word."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep._native.trigrams import NativeEvidence, NativeScorer, NativeWords
from corpusprep._native.unicode import LETTER, MARK, unicode_class
from corpusprep.languages import trigrams

WORDS = (["the", "cat", "hat", "straße"], ["das", "hut", "straße", "der"], ["кот", "это", "x²"], ["日", "本", "の"])
#: Two spellings of the first language; the others have one.
SPELLINGS = [
    (0, trigrams.model_of(WORDS[0], np.array([0.5, 0.2, 0.2, 0.1]))),
    (0, trigrams.model_of(["thé", "cat"], np.array([0.9, 0.1]))),
    *((number, trigrams.model_of(words, np.full(len(words), 0.25))) for number, words in enumerate(WORDS) if number),
]
FLOORS = -9000, -2500, -10000  # of a trigram, lowest of a trigram, of a word
LOWEST = np.array([[-4000, -4100, -4200, -4300], [-4000, -4100, -2200, -2300]], np.int32)
SYLLABLES = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3100-\u312f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def logs_of(model: trigrams.TrigramModel) -> np.ndarray:
    """Returns any logarithms, different from each other."""
    return (-100 - 37 * np.arange(len(model.keys))).astype(np.int32)


WORD_LOGS = [np.array([-50 - 700 * number for number in range(len(words))], np.int32) for words in WORDS]
LISTS = [[trigrams.reduce(word) for word in words] for words in WORDS]


def scorer(word_logs=WORD_LOGS, lowest=LOWEST, floors=FLOORS) -> NativeScorer:
    """A kernel with these tables."""
    evidence = NativeEvidence(
        [number for number, _ in SPELLINGS],
        [model.keys for _, model in SPELLINGS],
        [logs_of(model) for _, model in SPELLINGS],
        NativeWords(["\n".join(words).encode() for words in LISTS]),
        word_logs,
        lowest,
        *floors,
    )
    nothing = NativeWords([]), np.zeros((0, 0), np.int32)
    return NativeScorer([], [], trigrams._folded(), *nothing, evidence)


SCORER = scorer()


def plain_trigram(key: int) -> list[int]:
    """The oracle for a trigram: 0 for all languages if none has it."""
    best = [FLOORS[0]] * len(WORDS)
    found = False
    for number, model in SPELLINGS:
        for known, log in zip(model.keys.tolist(), logs_of(model).tolist(), strict=True):
            if known == key:
                best[number], found = max(best[number], log), True
    return [max(one - max(best), FLOORS[1]) if found else 0 for one in best]


def plain_word(word: str) -> list[int]:
    """The oracle for a word: its trigrams, and the lists that have it."""
    latin = word[0] < "\u0250" or "\u1e00" <= word[0] < "\u1f00"
    lowest = LOWEST[int(latin)].tolist()
    of_trigrams = [0] * len(WORDS)
    for key in trigrams.trigrams(word)[0].tolist():
        of_trigrams = [total + one for total, one in zip(of_trigrams, plain_trigram(key), strict=True)]
    halves = [total // 2 for total in of_trigrams]
    limited = [max(one - max(halves), low) for one, low in zip(halves, lowest, strict=True)]
    if not any(word in words for words in LISTS):
        return limited
    logs = [
        max(FLOORS[2], int(logs[words.index(word)])) if word in words else FLOORS[2]
        for words, logs in zip(LISTS, WORD_LOGS, strict=True)
    ]
    return [max(log - max(logs), low) + one * 5 // 16 for log, low, one in zip(logs, lowest, limited, strict=True)]


def plain_evidence(text: str) -> list[int]:
    """The oracle: the sum over words of letters and marks, and over syllables."""
    totals = [0] * len(WORDS)
    letters = [
        char if unicode_class(ord(char)) in (LETTER, MARK) and ord(char) < 0x323B0 else " "
        for char in trigrams.reduce(text)
    ]
    for run in "".join(letters).split(" "):
        for piece in filter(None, re.split(f"({SYLLABLES.pattern})", run)):
            if SYLLABLES.fullmatch(piece):
                found = plain_trigram(int(trigrams.trigrams(piece)[0][0]))
            else:
                found = plain_word(piece[:256])
            totals = [total + one for total, one in zip(totals, found, strict=True)]
    return totals


def evidence(text: str) -> list[int]:
    """Returns the evidence of a text in the same way as `TextScorer`."""
    found = SCORER.sums(text, False) or SCORER.sums(trigrams.reduce(text), True)
    assert found is not None
    return found[3]


PIECES = ("the", "Straße", "hut", "cathat", "кот", "ЭТО", "x²", "日本の", "e\u0301", "हिन्दी", " ", "-", "7", "q" * 300)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text("acdehtsuкотя日の각\u0301 .", max_size=8))).map("".join))
def test_evidence_is_the_sum_over_words(text: str) -> None:
    """Exactly equal whole numbers; a word is looked up once and then comes from the cache."""
    assert evidence(text) == plain_evidence(text)
    assert evidence(f"{text} {text}") == plain_evidence(f"{text} {text}")


def test_a_word_of_one_list_speaks_for_its_language() -> None:
    """The most probable language has no evidence against it."""
    assert evidence("the cat")[0] == 0 > max(evidence("the cat")[1:])
    assert evidence("die hut der das")[1] > evidence("die hut der das")[0]


def test_foreign_words_in_latin_letters_weigh_less_in_other_scripts() -> None:
    """A Russian text with an English name is Russian."""
    found = evidence("это кот the cat")
    assert max(range(4), key=found.__getitem__) == 2


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"word_logs": WORD_LOGS[:-1]}, "limits per language"),
        ({"word_logs": [one[:-1] for one in WORD_LOGS]}, "not those of the words"),
        ({"word_logs": [one - 2**23 for one in WORD_LOGS]}, "not those of the words"),
        ({"lowest": -LOWEST}, "out of range"),
        ({"floors": (-9000, 1, -10000)}, "out of range"),
    ],
)
def test_tables_that_do_not_fit_are_refused(given, problem) -> None:
    """Counts are checked, and values whose sums could overflow."""
    with pytest.raises((RuntimeError, ValueError), match=problem):
        scorer(**given)
