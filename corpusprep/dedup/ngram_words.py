"""Counts the words of a corpus, some batches at a time, and merges them into the lexicon for duplicate n-grams."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

from corpusprep._native import ngrams as native
from corpusprep.dedup import resource_plans as plans
from corpusprep.dedup.ngram_documents import Verticals, selection_digest
from corpusprep.dedup.resource_plans import LEAST_WORDS, MERGE_BUFFER, MERGE_STATE
from corpusprep.io import memory as limits
from corpusprep.io.files import replacing, scratch
from corpusprep.io.merge_rounds import in_rounds, remove_scratch


def count_words(
    verticals: Sequence[Path],
    documents: Sequence[Path] | None,
    output: Path,
    memory: int,
    *,
    tokens: Path,
    keys: Path,
    n: int,
    count_punctuation: bool = False,
    stop_words: Sequence[str] = (),
    threads: int = 1,
    parts: int = 1,
) -> None:
    """Counts every token of the kept documents and writes a word list; the same pass writes tokens and keys.

    Args:
        verticals: `tokens/<batch>.vert.zst` of one batch or more.
        documents: `documents/<batch>.parquet` of each; None selects all documents of the verticals.
        output: the word list to write.
        memory: limit of the process, in bytes; words and keys that do not fit are written in parts.
        tokens: file for the ids of counted tokens, input of `make_stream_runs`.
        keys: file for the keys of n-grams, input of `make_candidates`.
        n: words in an n-gram, 1 to LONGEST_NGRAM.
        count_punctuation: whether tokens that start with punctuation or a symbol count.
        stop_words: tokens that do not count, in all their forms.
        threads: with two or more, a thread reads ahead.
        parts: number of ranges of keys that `make_candidates` counts apart.

    Raises:
        StageFileError: a file is missing or damaged, or a vertical differs from its table.
        ResourceError: `memory` is too little to start with.
    """
    texts = Verticals(verticals, documents)
    least = LEAST_WORDS + 4 * native.MIN_CAPACITY
    free = limits.budget(memory, least, f"counting the words of {texts}")
    plan = plans.words(texts.stored, free, memory)
    plan.announce(output.parent)
    free -= 4 * plan.at_once
    with contextlib.ExitStack() as stack:
        temporary = stack.enter_context(replacing(output))
        streams = [stack.enter_context(replacing(path)) for path in (tokens, keys)]
        folder = stack.enter_context(scratch(output))
        counter = native.WordCounter(
            texts.taken,
            tokens=streams[0],
            keys=streams[1],
            n=n,
            capacity=plan.at_once,
            count_punctuation=count_punctuation,
            stop_words=sorted(stop_words),
            selection=selection_digest(count_punctuation, stop_words),
            parts=parts,
        )
        lists: list[Path] = []
        for _ in texts.feed(counter, threads):
            if counter.memory > free or counter.full:
                lists.append(folder / f"{len(lists)}.words")
                counter.write(lists[-1])
        counter.finish()
        if lists:
            lists.append(folder / f"{len(lists)}.words")
            counter.write(lists[-1])
            _merge_word_lists(lists, temporary, "words", free, folder)
        else:
            counter.write(temporary)
        counter.close()


def make_lexicon(
    words: Sequence[Path], output: Path, memory: int, *, part: int = 0, parts: int = 1
) -> native.WordListHeader:
    """Merges the word lists of all batches into the lexicon; returns its header.

    Args:
        words: what `count_words` wrote.
        output: the lexicon to write.
        memory: limit of the process, in bytes.
        part: the range of words to merge, from 0; `join_lexicons` makes one lexicon of those of all ranges.
        parts: the number of ranges.

    Raises:
        StageFileError: a word list is missing or damaged.
        ResourceError: the memory or the disk is too little, or there are too many words for 32-bit ids.
    """
    stored = sum(path.stat().st_size for path in words if path.exists())
    indexes = plans.index_memory(stored)
    least = indexes + 2 * (MERGE_BUFFER + MERGE_STATE)
    free = limits.budget(memory, least, f"merging {len(words)} word lists") - indexes
    plans.lexicon(len(words), stored // parts, free, memory).announce(output.parent)
    chosen = native.word_range(words, part, parts)
    with replacing(output) as temporary, scratch(output) as folder:
        return _merge_word_lists(words, temporary, "lexicon", free, folder, chosen)


def join_lexicons(parts: Sequence[Path], output: Path) -> native.WordListHeader:
    """Writes the lexicon of a corpus from those of its parts, in the order of their words; returns its header.

    Raises:
        StageFileError: a lexicon is missing or damaged, or its words are not those of this part.
        ResourceError: there are too many words for 32-bit ids.
    """
    with replacing(output) as temporary:
        return native.join_lexicons(parts, temporary)


def _merge_word_lists(
    lists: Sequence[Path],
    output: Path,
    kind: str,
    free: int,
    folder: Path,
    words: tuple[bytes, bytes] = native.ALL_WORDS,
) -> native.WordListHeader:
    fan_in = plans.merged_lists(free)

    def merge(group: list[Path], number: int) -> Path:
        merged = folder / f"merged-{number}.words"
        native.merge_words(group, merged, "words", MERGE_BUFFER, words)
        remove_scratch(folder, set(group))
        return merged

    left: list[Path] = in_rounds(list(lists), fan_in, merge)
    return native.merge_words(left, output, kind, MERGE_BUFFER, words)
