"""The made keys and lists of words that `bench parts` measures with: the steps read them, and count what is in them."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from parts import made_ngrams

from corpusprep._native import ngrams as native
from corpusprep.dedup import duplicate_ngrams, ngram_words

MEMORY = 2_000_000_000


def test_candidates_are_the_keys_that_occur_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted from the bytes behind the header: sizes of the partitions, then the keys."""
    monkeypatch.setattr(made_ngrams, "KEYS_PER_FILE", 1 << 18)
    paths = made_ngrams.keys(tmp_path / "keys", 3 << 18)
    seen: Counter[tuple[int, int]] = Counter()
    for path in paths:
        (run,) = native.read_keys_header(path).runs
        data = path.read_bytes()
        counts = np.frombuffer(data, "<u4", made_ngrams.PARTITIONS, 128)
        rest = np.frombuffer(data, "<u4", run.keys, 128 + counts.nbytes)
        seen.update(zip(np.repeat(np.arange(len(counts)), counts).tolist(), rest.tolist(), strict=True))
    totals = duplicate_ngrams.make_candidates(paths, tmp_path / "candidates", MEMORY)
    assert totals.keys == 3 << 18
    assert totals.candidates == sum(count > 1 for count in seen.values()) > 4_000
    paths, parts = made_ngrams.keys(tmp_path / "divided", 3 << 18, 3), [tmp_path / str(part) for part in range(3)]
    for part, path in enumerate(parts):
        duplicate_ngrams.make_candidates(paths, path, MEMORY, part=part, parts=3)
    duplicate_ngrams.join_candidates(parts, tmp_path / "joined")
    assert (tmp_path / "joined").read_bytes() == (tmp_path / "candidates").read_bytes()


def test_the_lexicon_has_the_words_of_all_lists(tmp_path: Path) -> None:
    """What occurs once is only counted."""
    paths = made_ngrams.words(tmp_path / "words", 2)
    header = ngram_words.make_lexicon(paths, tmp_path / "lexicon", MEMORY)
    lists = [native.word_list_header(path, "words") for path in paths]
    assert header.tokens == sum(one.tokens for one in lists)
    assert header.words + header.hapaxes < sum(one.words for one in lists)
    assert header.words > 1000
    parts = [tmp_path / str(part) for part in range(3)]
    sizes = [
        ngram_words.make_lexicon(paths, path, MEMORY, part=part, parts=3).tokens for part, path in enumerate(parts)
    ]
    assert min(sizes) > 0
    ngram_words.join_lexicons(parts, tmp_path / "joined")
    assert (tmp_path / "joined").read_bytes() == (tmp_path / "lexicon").read_bytes()
