"""The kernels of block de-duplication, compared with the sequential algorithm on sets of n-grams."""

import functools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support import block_corpora as corpora
from support.block_corpora import Document, page
from support.block_strategies import documents, splits

from corpusprep._native import blocks as kernel

HALF = Fraction(1, 2)
THRESHOLDS = st.sampled_from([Fraction(1, 10), Fraction(1, 3), HALF, Fraction(7, 10), Fraction(1)])
SIZES = st.fixed_dictionaries(
    {
        "capacity": st.integers(1, 40),
        "store_size": st.sampled_from([1, 200, 1 << 20]),
        "filter_bytes": st.sampled_from([0, 8, 1 << 12]),
        "piece": st.integers(1, 60),
    }
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(splits(), st.integers(1, 3), THRESHOLDS, SIZES)
def test_verdicts_are_those_of_the_sequential_algorithm(
    split: tuple[list[Document], list[list[int]]], n: int, threshold: Fraction, sizes: dict[str, int]
) -> None:
    """For any corpus, any batches and order, and chunks and pieces of any size."""
    corpus, batches = split
    expected = corpora.sequential(corpus, n, threshold)
    assert corpora.deduplicated(corpus, batches, n, threshold, **sizes) == expected


def no_smoothing(documents: list[Document], n: int, threshold: Fraction) -> dict[int, list[corpora.BlockResult]]:
    """Blocks alone, without the classification of 3.5.2, by the plain algorithm."""
    output: set[corpora.Ngram] = set()
    results = {}
    for number in corpora.processing_order(documents, n):
        results[number], seen = corpora.blocks_of(documents[number], n, threshold, output)
        output |= seen
    return results


#: Choices of the pass, and the plain algorithm that gives the same.
PLAIN = {
    "document": ({"documents": True, "blocks": False}, corpora.whole_documents),
    "both, no smoothing": (
        {"documents": True, "smoothing": False},
        functools.partial(corpora.whole_documents, blocks=True),
    ),
    "no smoothing": ({"smoothing": False}, no_smoothing),
    "as written": ({"as_written": True}, corpora.as_written),
    "as written, no smoothing": (
        {"as_written": True, "smoothing": False},
        functools.partial(corpora.as_written, smoothing=False),
    ),
}


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(splits(), st.integers(1, 3), THRESHOLDS, SIZES)
def test_verdicts_of_other_choices_are_those_of_plain_algorithms(
    name: str, split: tuple[list[Document], list[list[int]]], n: int, threshold: Fraction, sizes: dict[str, int]
) -> None:
    """For any corpus, any batches and order, and chunks and pieces of any size."""
    choices, plain = PLAIN[name]
    corpus, batches = split
    assert corpora.deduplicated(corpus, batches, n, threshold, choices, **sizes) == plain(corpus, n, threshold)


@settings(max_examples=30, deadline=None)
@given(splits(), st.integers(1, 3), THRESHOLDS)
def test_both_units_are_documents_first_and_then_blocks(
    split: tuple[list[Document], list[list[int]]], n: int, threshold: Fraction
) -> None:
    """With the documents that it removes left out, the pass on blocks alone decides the same about the others."""
    corpus, batches = split
    both = corpora.deduplicated(corpus, batches, n, threshold, {"documents": True})
    gone = {number for number, blocks in both.items() if any(verdict == "duplicate_document" for _, verdict in blocks)}
    assert all(verdict == "duplicate_document" for number in gone for _, verdict in both[number])
    order = [number for number in corpora.processing_order(corpus, n) if number not in gone]
    alone = corpora.sequential(corpus, n, threshold, order)
    assert {number: blocks for number, blocks in both.items() if number not in gone} == alone


def test_choices_that_contradict_each_other_are_refused() -> None:
    """Nothing to de-duplicate; and blocks as written beside documents."""
    for choices in ({"blocks": False}, {"documents": True, "as_written": True}):
        with pytest.raises(ValueError, match="must be chosen"):
            kernel.VerdictPass(1, 3, 1, 99, 0.5, 1, **choices)


@settings(max_examples=50, deadline=None)
@given(splits(), splits(), st.integers(1, 3), st.sampled_from([{}, *(choices for choices, _ in PLAIN.values())]))
def test_verdicts_do_not_depend_on_batches(
    one: tuple[list[Document], list[list[int]]],
    other: tuple[list[Document], list[list[int]]],
    n: int,
    choices: dict[str, bool],
) -> None:
    """Invariant (a): the verdicts are the same with all documents in one batch or in several, in any order."""
    corpus, batches = one
    together = corpora.deduplicated(corpus, [list(range(len(corpus)))], n, HALF, choices)
    assert corpora.deduplicated(corpus, batches, n, HALF, choices) == together


@settings(max_examples=60, deadline=None)
@given(documents(), st.integers(1, 3), THRESHOLDS)
def test_no_kept_block_reaches_the_threshold_against_kept_blocks_before_it(
    corpus: list[Document], n: int, threshold: Fraction
) -> None:
    """Invariant (b), for good and near-good blocks."""
    results = corpora.deduplicated(corpus, [list(range(len(corpus)))], n, threshold)
    before: set[corpora.Ngram] = set()
    for number in corpora.processing_order(corpus, n):
        document, verdicts = corpus[number], [verdict for _, verdict in results[number]]
        block_of, grams = corpora.positions(document), corpora.ngrams(document, n)
        spans = [set(block_of[i : i + n]) for i in range(len(grams))]
        whole = [all(verdicts[block] == "kept" for block in span) for span in spans]
        for k, block in enumerate(document.good):
            own = {i for i, owner in enumerate(block_of) if owner == k}
            if not own or verdicts[k] != "kept" or block.context_free == "short":
                continue
            here = {gram for gram, span, kept in zip(grams, spans, whole, strict=True) if kept and max(span) < k}
            covered = corpora.covered_positions(grams, n, lambda _, gram, here=here: gram in before or gram in here)
            assert Fraction(len(covered & own), len(own)) < threshold
        before.update(gram for gram, kept in zip(grams, whole, strict=True) if kept)


@settings(max_examples=60, deadline=None)
@given(documents(), st.integers(1, 3), THRESHOLDS)
def test_ngrams_that_cover_a_duplicate_are_in_the_output_or_in_a_stub(
    corpus: list[Document], n: int, threshold: Fraction
) -> None:
    """Invariant (c): the n-grams that cover a duplicate block are in the output or in a stub."""
    results = corpora.deduplicated(corpus, [list(range(len(corpus)))], n, threshold)
    found: set[corpora.Ngram] = set()
    for number, verdicts in results.items():
        block_of = corpora.positions(corpus[number])
        for i, gram in enumerate(corpora.ngrams(corpus[number], n)):
            if all(verdicts[block][1] != "duplicate" for block in block_of[i : i + n]):
                found.add(gram)
    for number, verdicts in results.items():
        grams, block_of = corpora.ngrams(corpus[number], n), corpora.positions(corpus[number])
        covered = corpora.covered_positions(grams, n, lambda _, gram: gram in found)
        for k, (tokens, verdict) in enumerate(verdicts):
            if verdict == "duplicate":
                assert tokens <= len([i for i in covered if block_of[i] == k])


@settings(max_examples=50, deadline=None)
@given(splits(), st.integers(1, 3))
def test_every_good_block_of_every_kept_document_has_one_verdict(
    split: tuple[list[Document], list[list[int]]], n: int
) -> None:
    """Invariant (d): documents that were removed before have none."""
    corpus, batches = split
    results = corpora.deduplicated(corpus, batches, n, HALF)
    expected = {number: len(document.good) for number, document in enumerate(corpus) if document.kept}
    assert {number: len(verdicts) for number, verdicts in results.items()} == expected


def verdicts(*pages: Document, n: int = 3) -> list[str]:
    """The verdicts of each page's good blocks, at the default threshold."""
    results = corpora.deduplicated(pages, [list(range(len(pages)))], n, HALF)
    return [" ".join(verdict for _, verdict in results[number]) for number in range(len(pages))]


def test_a_filter_has_two_bits_a_key_or_is_none() -> None:
    """A power of two, with 16 to 32 bits per key if memory allows; a filter that would pass nearly all is left out."""
    assert kernel.filter_bytes(1000, 1 << 20) == 2048
    assert kernel.filter_bytes(1024, 1 << 20) == 2048
    assert kernel.filter_bytes(1025, 1 << 20) == 4096
    assert kernel.filter_bytes(1025, 1500) == 1024
    assert kernel.filter_bytes(4096, 1023) == 0
    assert kernel.filter_bytes(1 << 60, 1 << 62) == 0


STORY = "w1 w2 w3 w4 w5 w6 w7 w8"
OTHER = "v1 v2 v3 v4 v5 v6 v7 v8"
NUMBERS = "1 2 3 4 5 6 7 8 9 10 11 12"
LETTERS = "a b c d e f g h i j k l"


def test_exact_copy_of_a_block_is_removed_from_the_later_document() -> None:
    """Two pages share a block and have another one each: the first in the stable order keeps the shared one."""
    one = page(("good", STORY), ("good", "a b c d e f g h"))
    other = page(("good", "i j k l m n o p"), ("good", STORY))
    assert verdicts(one, other) == ["kept kept", "kept duplicate"]


def test_quoting_forum_page_loses_the_quotations_only() -> None:
    """Answers that quote other pages keep their own text."""
    forum = page(("good", STORY), ("good", "i disagree with all of it"), ("good", OTHER), ("good", "so do they all"))
    story, other = page(("good", STORY), ("good", NUMBERS)), page(("good", OTHER), ("good", LETTERS))
    assert verdicts(forum, story, other) == ["duplicate kept duplicate kept", "kept kept", "kept kept"]


def test_index_page_with_excerpts_loses_to_the_articles() -> None:
    """It comes first in the stable order, but its share of duplicate n-grams is the largest (3.5)."""
    index = page(("good", "w1 w2 w3 w4"), ("good", "v1 v2 v3 v4"))
    assert verdicts(index, page(("good", STORY)), page(("good", OTHER))) == ["duplicate duplicate", "kept", "kept"]


def test_revised_article_keeps_its_new_text() -> None:
    """A later edition with a corrected word and a new paragraph."""
    first = page(("good", STORY), ("good", OTHER), ("good", "only in the first edition of this"))
    revised = page(("good", STORY.replace("w4", "w44")), ("good", OTHER), ("good", "a new paragraph is here"))
    assert verdicts(first, revised) == ["kept kept kept", "duplicate duplicate kept"]


def test_short_block_between_duplicates_becomes_a_stub() -> None:
    """Figure 3.5: a short block between good blocks that are removed has lost its context."""
    copy = page(
        ("good", STORY), ("short", "says he"), ("good", OTHER), ("short", "and then"), ("good", "x y z q r s t")
    )
    original = page(("good", f"{STORY} {OTHER} {NUMBERS}"))
    assert verdicts(copy, original) == ["duplicate stub duplicate stub kept", "kept"]


def test_near_good_block_beside_a_kept_block_is_no_stub() -> None:
    """It needs one good neighbour, which it has. It is then a good neighbour for the short block."""
    copy = page(("good", STORY), ("near-good", "p q r s"), ("short", "so"), ("good", "x y z q r s t u v w a b c"))
    original = page(("good", f"{STORY} {NUMBERS}"))
    assert verdicts(copy, original) == ["duplicate kept kept kept", "kept"]


def test_short_block_is_never_a_duplicate_itself() -> None:
    """Only the context decides on short blocks (3.5.2), but their covered tokens are counted."""
    original = page(("good", f"yes no yes {OTHER} {NUMBERS}"))
    dialogue = page(("good", "k l m n o p q"), ("short", "yes no yes"), ("good", "p o n m l k j"))
    results = corpora.deduplicated([original, dialogue], [[0], [1]], 3, HALF)
    assert results[1] == [(0, "kept"), (3, "kept"), (0, "kept")]


def test_self_repeating_block_is_kept() -> None:
    """A refrain inside one block: its n-grams repeat text of the block itself, not of an earlier block."""
    assert verdicts(page(("good", "la la la la la la la la"), ("good", "unlike that one in all"))) == ["kept kept"]


def test_repeated_block_within_a_document_is_removed_after_the_first() -> None:
    """A slogan after every paragraph is kept once."""
    assert verdicts(page(("good", STORY), ("good", "n1 n2 n3 n4 n5"), ("good", STORY), ("good", STORY))) == [
        "kept kept duplicate duplicate"
    ]


def test_repetition_of_a_removed_block_is_covered_by_the_other_document() -> None:
    """Both blocks are covered by the other document. The removed first block does not count for the second."""
    original = page(("good", f"{STORY} {NUMBERS}"))
    repeating = page(("good", STORY), ("good", STORY))
    assert verdicts(original, repeating) == ["kept", "duplicate duplicate"]


def test_ngram_across_a_removed_block_does_not_become_seen() -> None:
    """An n-gram that overlaps a duplicate block is not in the output, so it does not count against later pages."""
    first = page(("good", f"{NUMBERS} {STORY}"))
    second = page(("good", STORY), ("good", "q1 q2 q3 q4"))  # w7 w8 q1 and w8 q1 q2 cross the border between its blocks
    third = page(("good", "w7 w8 q1 q2"), ("good", STORY))
    results = corpora.deduplicated([first, second, third], [[0, 1, 2]], 3, HALF)
    assert results[1] == [(8, "duplicate"), (0, "kept")]
    assert results[2] == [(0, "kept"), (8, "duplicate")]


@pytest.mark.parametrize("piece", [5_000, 1 << 20])
def test_long_documents_are_read_twice(piece: int) -> None:
    """Their records are longer than the buffer of a stream, and the verdicts are still the same."""
    chance = random.Random(4)
    text = [f"w{chance.randrange(500)}" for _ in range(25_000)]
    blocks = [" ".join(text[start : start + 50]) for start in range(0, len(text), 50)]
    long = [page(*(("good", block) for block in blocks[start:])) for start in (0, 3, 9)]
    short = [page(("good", block), ("good", f"a{k} b{k} c{k} d{k}")) for k, block in enumerate(blocks[::40])]
    documents = [*short[:6], long[0], *short[6:], *long[1:]]
    batches = [[0, 6, 1, 7, 8], [2, 3, 14, 4, 9, 10], [5, 11, 12, 13, 15]]
    assert len(corpora.matched(documents, [6], 3)) > 40_000
    one_run, many_runs = (
        corpora.matched(documents, batches[1], 3, store_size=size, piece=piece) for size in (1 << 30, 1)
    )
    assert one_run == many_runs
    assert corpora.deduplicated(documents, batches, 3, HALF, piece=piece) == corpora.sequential(documents, 3, HALF)


def test_shares_are_compared_exactly() -> None:
    """1/3 of a long document and 1/3 of a short one are equal shares: the stable order decides."""
    shared, own = "s1 s2 s3", [f"u{i}" for i in range(12)]
    long = page(("good", f"{shared} {' '.join(own[:3])} {shared} {' '.join(own[3:12])}"))
    short = page(("good", shared), ("good", "o1 o2 o3 o4 o5 o6"))
    assert verdicts(short, long) == ["kept kept", "kept"]
    assert verdicts(long, short) == ["kept", "duplicate kept"]


def test_good_block_that_its_algorithm_keeps_against_algorithm_2_3_is_no_stub() -> None:
    """For an algorithm that labels blocks without context, a document loses only blocks that depended on duplicates."""
    classes = np.array([0 | 4, 1 | 4, 0, 2 | 4], dtype=np.uint8)
    kept, ranks, starts = np.ones(1, dtype=np.uint8), np.zeros(1, dtype=np.uint64), np.array([0, 4], dtype=np.uint64)
    found = kernel.Matcher(3, 1, 99, False, (), kept, ranks, starts, classes, 100, 100)
    found.feed(b"<doc>\n<p>\na\nb\nc\n</p>\n<p>\nd\n</p>\n<p>\ne\nf\n</p>\n</doc>\n")
    found.finish()
    found.begin_join(1)
    found.join(u64(corpora.ngram_key(("a", "b", "c"))), u64(0))
    assert found.collect()
    stream = b"".join(found.run())
    output = corpora.worked(kernel.VerdictPass(1, 3, 1, 99, 0.5, 1), [stream], 100)[0]
    table = kernel.VerdictTable()
    table.feed(output)
    assert table.columns()[3].tolist() == [0, 0, 0]


def u64(*numbers: int) -> NDArray[np.uint64]:
    """An array of these numbers."""
    return np.array(numbers, dtype=np.uint64)


def tiny() -> tuple[list[Document], bytes]:
    """A corpus of one batch, and its stream of matches."""
    corpus = [page(("good", STORY)), page(("good", STORY), ("short", "x"), ("good", OTHER))]
    return corpus, corpora.matched(corpus, [0, 1], 3)


def passed(stream: bytes, keys: int, checksum: int = 99) -> list[bytes]:
    """The verdicts for one stream of matches."""
    return corpora.worked(kernel.VerdictPass(1, 3, keys, checksum, 0.5, 1), [stream], 7)


def test_any_flipped_bit_of_a_stream_is_found() -> None:
    """A change of any single bit in header, sizes, payload or checksums is an error."""
    corpus, stream = tiny()
    keys = len(corpora.duplicate_ngrams(corpus, 3))
    assert passed(stream, keys)
    for byte in range(len(stream)):
        changed = bytearray(stream)
        changed[byte] ^= 1 << (byte % 8)
        with pytest.raises(RuntimeError, match=r"is (wrong|damaged|cut short|not a file of matches)|of version"):
            passed(bytes(changed), keys)


def test_a_stream_cut_short_anywhere_is_found() -> None:
    """Also if it is cut between two frames."""
    corpus, stream = tiny()
    keys = len(corpora.duplicate_ngrams(corpus, 3))
    for size in range(len(stream)):
        with pytest.raises(RuntimeError, match="is cut short"):
            passed(stream[:size], keys)


def test_a_stream_with_more_behind_it_is_refused() -> None:
    """For example two files in one, or a file that overwrote a longer one."""
    corpus, stream = tiny()
    with pytest.raises(RuntimeError, match="has bytes after its end"):
        passed(stream + b"\0", len(corpora.duplicate_ngrams(corpus, 3)))


def test_matches_of_other_ngrams_are_refused() -> None:
    """The numbers of keys would mean other n-grams."""
    corpus, stream = tiny()
    with pytest.raises(RuntimeError, match="was made with other duplicate n-grams"):
        passed(stream, len(corpora.duplicate_ngrams(corpus, 3)), checksum=98)


def test_the_same_batch_twice_is_refused() -> None:
    """Two documents would have the same rank, and their order would be random."""
    corpus, stream = tiny()
    merge = kernel.VerdictPass(2, 3, len(corpora.duplicate_ngrams(corpus, 3)), 99, 0.5, 1)
    with pytest.raises(RuntimeError, match="shares documents with another"):
        corpora.worked(merge, [stream, stream], 100)


@pytest.mark.parametrize(
    ("text", "message", "document"),
    [
        (b"<doc>\n<p>\na\n</p>\n</doc>\n", "ends after 1 documents, but its table has 2", 2),
        (b"<doc>\n<p>\n</p>\n</doc>\n" * 3, "has more documents than its table", 2),
        (b"<doc>\n<p>\n</p>\n</doc>\n<doc>\n</doc>\n", "has 0 <p> where the page has 1 good blocks", 1),
        (b"<doc>\n<p>\n</p>\n<p>\n</p>\n</doc>\n", "has 2 <p> where the page has 1 good blocks", 0),
        (b"<doc>\na\n<p>\n</p>\n</doc>\n", "has a token before its first <p>", 0),
        (b"<doc>\n<p>\n</p>\n</doc>\n<doc>\n<p>\na\n</p>", "has no </doc>: the file is cut short", 1),
    ],
    ids=["too-few-documents", "too-many", "no-block", "a-block-more", "token-outside-a-block", "cut-short"],
)
def test_a_vertical_of_another_structure_is_refused(text: bytes, message: str, document: int) -> None:
    """The error says which document has structure lines that a tagger removed or added."""
    found = corpora.matcher([page(("good", "a"))] * 2, [0, 1], 3, 0, 100, 100)

    def read() -> None:
        found.feed(text)
        found.finish()

    with pytest.raises(RuntimeError, match=message):
        read()
    assert found.wrong_document == document


def test_a_vertical_keeps_its_meaning_with_glue_tags_and_empty_first_columns() -> None:
    """Glue, a tagger's columns and sentences, and lines without a word change nothing."""
    corpus, stream = tiny()
    text = corpora.vertical(corpus).replace(b"w3\n", b"<g/>\nw3\tNN\tw\n<s>\n").replace(b"w5\n", b"\tXX\nw5\n")
    keys = corpora.sorted_keys(corpus, 3)
    found = corpora.matcher(corpus, [0, 1], 3, len(keys), 100, 100)
    found.feed(text)
    found.finish()
    found.begin_join(len(keys))
    found.join(keys, u64(*range(len(keys))))
    assert found.collect()
    tables = [kernel.MatchTable(), kernel.MatchTable()]
    tables[0].feed(b"".join(found.run()))
    tables[1].feed(stream)
    assert tables[0].columns()[3].tolist() == tables[1].columns()[3].tolist()
    assert found.matches == 12


@pytest.mark.parametrize("keys", [[5, 5], [6, 5]], ids=["equal", "descending"])
def test_keys_that_do_not_ascend_are_refused(keys: list[int]) -> None:
    """The join would miss n-grams."""
    found = corpora.matcher([], [], 3, 2, 100, 100)
    found.finish()
    found.begin_join(2)
    with pytest.raises(RuntimeError, match="keys do not ascend"):
        found.join(u64(*keys), u64(0, 1))


@pytest.mark.parametrize("numbers", [[1, 0], [0, 0], [0, 2]], ids=["descending", "equal", "too large"])
def test_numbers_that_do_not_belong_to_the_keys_are_refused(numbers: list[int]) -> None:
    """They are places in the file of all keys."""
    found = corpora.matcher([], [], 3, 2, 100, 100)
    found.finish()
    found.begin_join(2)
    with pytest.raises(RuntimeError, match="keys do not ascend"):
        found.join(u64(5, 6), u64(*numbers))


def test_ngrams_with_the_key_of_another_are_told_apart_by_their_check() -> None:
    """An n-gram matches if one of those with its key has its check, too; without checks, if it has the key."""
    key, check = corpora.ngram_key(("a", "b", "c")), corpora.ngram_check(("a", "b", "c"))

    def matches(*checks: int) -> int:
        found = corpora.matcher([page(("good", "a b c d"))], [0], 3, 9, 100, 100)
        found.feed(corpora.vertical([page(("good", "a b c d"))]))
        found.finish()
        count = len(checks) or 1
        found.begin_join(count)
        found.join(u64(*[key] * count), u64(*[7] * count), np.array(checks, dtype=np.uint32) if checks else None)
        assert found.collect()
        found.run().send(None)
        return found.matches

    assert [matches(), matches(check), matches(check ^ 1), matches(check - 1, check)] == [1, 1, 0, 1]


def test_fewer_keys_than_promised_are_refused() -> None:
    """With a truncated file of keys, duplicates would look unique."""
    found = corpora.matcher([], [], 3, 2, 100, 100)
    found.finish()
    found.begin_join(2)
    found.join(u64(5), u64(0))
    with pytest.raises(RuntimeError, match="does not have as many keys as its header says"):
        found.collect()


def test_many_equal_ngrams_are_sorted_in_time() -> None:
    """A page that repeats one word has 200,000 n-grams with the same key."""
    text = b"<doc>\n<p>\n" + b"la\n" * 200_000 + b"</p>\n</doc>\n"
    found = corpora.matcher([page(("good", "la"))], [0], 10, 1, 1 << 18, 1 << 20)
    found.feed(text)
    found.finish()
    found.begin_join(1)
    found.join(u64(corpora.ngram_key(("la",) * 10)), u64(0))
    assert found.collect()
    assert found.matches == 200_000 - 9
