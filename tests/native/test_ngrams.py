"""The kernels of duplicate n-grams, compared with collections.Counter on tuples of words."""

import errno
import itertools
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.plain_hashes import GOLDEN, MASK, mix64, word_key

from corpusprep._native import ngrams as native
from corpusprep.errors import StageFileError
from corpusprep.text.tokenizer import escape_token

Document = list[str]
BUFFER = 1 << 12


def vertical(documents: Sequence[Document]) -> bytes:
    """A vertical with a block boundary and glue inside each document."""
    lines = []
    for number, document in enumerate(documents):
        lines += [f'<doc id="{number}">', '<p heading="0">']
        for place, token in enumerate(document):
            lines += ["</p>", '<p heading="0">'] if place == 3 else []
            lines += ["<g/>", escape_token(token)] if place % 4 == 1 else [escape_token(token)]
        lines += ["</p>", "</doc>"]
    return "".join(line + "\n" for line in lines).encode()


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """`data` in pieces of `size` bytes."""
    return (data[start : start + size] for start in range(0, len(data), size))


def oracle(
    documents: Sequence[Document], n: int, counted: Callable[[str], bool] = lambda _: True
) -> Counter[tuple[str, ...]]:
    """Returns how often each n-gram of counted tokens occurs."""
    ngrams: Counter[tuple[str, ...]] = Counter()
    for document in documents:
        tokens = [token for token in document if counted(token)]
        ngrams.update(zip(*(tokens[start:] for start in range(n)), strict=False))
    return ngrams


def duplicates(ngrams: Counter[tuple[str, ...]]) -> dict[int, int]:
    """Returns keys and counts of the n-grams that occur at least twice."""
    return {native.ngram_key(word.encode() for word in ngram): count for ngram, count in ngrams.items() if count > 1}


def count_words(documents: Sequence[Document], output: Path, piece: int = 1 << 20) -> Path:
    """The word list of documents."""
    counter = native.WordCounter()
    for chunk in pieces(vertical(documents), piece):
        counter.feed(chunk)
    counter.finish()
    counter.write(output)
    return output


def make_lexicon(batches: Sequence[Sequence[Document]], folder: Path) -> Path:
    """The lexicon of batches of documents."""
    lists = [count_words(documents, folder / f"{number}.words") for number, documents in enumerate(batches)]
    native.merge_words(lists, folder / "corpus.lex", "lexicon", BUFFER)
    return folder / "corpus.lex"


def count_tokens(
    text: bytes,
    output: Path,
    piece: int = 1 << 20,
    *,
    count_punctuation: bool = True,
    stop_words: Sequence[str] = (),
) -> Path:
    """The counted tokens of a vertical."""
    counter = native.WordCounter(tokens=output, count_punctuation=count_punctuation, stop_words=stop_words)
    for chunk in pieces(text, piece):
        counter.feed(chunk)
    counter.finish()
    counter.write(output.with_suffix(".counted"))
    counter.close()
    return output


def runs_of_tokens(tokens: Path, lexicon: Path, output: Path, n: int, chunk_tokens: int) -> native.RunsHeader:
    """The runs of all n-grams of counted tokens."""
    builder = native.StreamRunBuilder(output, tokens, lexicon, n, chunk_tokens)
    builder.start()
    while builder.advance():
        pass
    builder.finish()
    return native.read_runs_header(output)


def build_runs(
    documents: Sequence[Document],
    lexicon: Path,
    output: Path,
    n: int,
    chunk_tokens: int = 1 << 10,
    stop_words: Sequence[str] = (),
    piece: int = 1 << 20,
) -> native.RunsHeader:
    """The runs of documents, with punctuation."""
    tokens = count_tokens(vertical(documents), output.with_suffix(".tokens"), piece, stop_words=stop_words)
    return runs_of_tokens(tokens, lexicon, output, n, max(chunk_tokens, 4 * n))


def merge(
    headers: Sequence[native.RunsHeader], lexicon: Path, output: Path, n: int, capacity: int = 1 << 10
) -> tuple[dict[int, int], native.DuplicateTotals]:
    """Returns the keys and counts of duplicate n-grams found by the merge, and its totals."""
    runs = [run for header in headers for run in header.runs]
    collector = native.DuplicateCollector(runs, n, lexicon, BUFFER, capacity, output.with_suffix(".spill"))
    while collector.advance(7):
        pass
    totals = collector.write(output, 0)
    data = output.read_bytes()
    keys = memoryview(data)[: 8 * totals.keys].cast("Q").tolist()
    counts = memoryview(data)[8 * totals.keys :].cast("I").tolist()
    assert keys == sorted(set(keys))
    assert totals.checksum == native.checksum(data)
    return dict(zip(keys, counts, strict=True)), totals


words_of_few = st.sampled_from(["a", "b", "c", "the", "žlutý", "kůň", ".", "aa", "ab", "<", "x" * 200])
document_lists = st.lists(st.lists(words_of_few, max_size=30), max_size=8)
any_word = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs"]), min_size=1, max_size=20).filter(
    lambda word: not (word.startswith("<") and word.endswith(">")) and word.strip() == word
)
relaxed = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)


@relaxed
@given(documents=st.lists(st.lists(any_word, max_size=20), max_size=6), piece=st.integers(1, 50))
def test_word_counter_counts_every_token(tmp_path: Path, documents: list[Document], piece: int) -> None:
    """A word list has each token's frequency, in the order of bytes, for pieces of the vertical of any size."""
    path = count_words(documents, tmp_path / "a.words", piece)
    counts = Counter(word.encode() for document in documents for word in document)
    assert native.read_words(path) == sorted(counts.items())
    assert native.word_list_header(path).tokens == counts.total()


def test_word_counter_grows(tmp_path: Path) -> None:
    """Tens of thousands of words, some longer than a buffer, have separate counts."""
    documents = [[f"word{number}" for number in range(30_000)] + ["x" * 600_000, "x" * 600_001]] * 2
    path = count_words(documents, tmp_path / "a.words")
    assert native.read_words(path) == sorted((word.encode(), 2) for word in documents[0])


@pytest.mark.parametrize("piece", [1, 3, 7, 8, 9, 1000])
def test_tokens_are_the_first_column_of_lines_in_documents(tmp_path: Path, piece: int) -> None:
    """Further columns, structures, empty first columns and lines outside documents are ignored."""
    text = (
        b"outside\n<doc id='1'>\n<p>\na\tNN\tb\nlonger-word\tx\n\tc\n<s>\n<g/>\n<\n<x\n\n</s>\n</p>\n</doc>\n"
        b"outside\n<doc>\n<documents>\na\n<doc>\nlast"
    )
    counter = native.WordCounter()
    for chunk in pieces(text, piece):
        counter.feed(chunk)
    counter.finish()
    counter.write(tmp_path / "a.words")
    expected = [(b"<", 1), (b"<x", 1), (b"a", 2), (b"last", 1), (b"longer-word", 1)]
    assert native.read_words(tmp_path / "a.words") == expected
    assert counter.documents == 3


def test_word_counter_leaves_documents_out(tmp_path: Path) -> None:
    """Documents whose byte is 0 are left out; all others are counted."""
    counter = native.WordCounter(bytes([1, 0, 1]))
    counter.feed(vertical([["a"], ["b"], ["a", "c"]]))
    counter.finish()
    counter.write(tmp_path / "a.words")
    assert native.read_words(tmp_path / "a.words") == [(b"a", 2), (b"c", 1)]
    assert counter.documents == 3


@relaxed
@given(batches=st.lists(document_lists, max_size=5))
def test_merged_word_lists_add_frequencies(tmp_path: Path, batches: list[list[Document]]) -> None:
    """Merged word lists equal a count over all batches; a lexicon has all words except hapaxes."""
    counts = Counter(word.encode() for documents in batches for document in documents for word in document)
    lexicon = make_lexicon(batches, tmp_path)
    lists = [tmp_path / f"{number}.words" for number in range(len(batches))]
    native.merge_words(lists, tmp_path / "all.words", "words", BUFFER)
    assert native.read_words(tmp_path / "all.words") == sorted(counts.items())
    assert native.read_words(lexicon, "lexicon") == sorted(item for item in counts.items() if item[1] > 1)
    header = native.word_list_header(lexicon, "lexicon")
    assert header.hapaxes == sum(count == 1 for count in counts.values())
    assert header.tokens == counts.total()


@relaxed
@given(
    batches=st.lists(document_lists, max_size=4),
    block_bytes=st.integers(1, 40),
    parts=st.integers(1, 6),
    shuffled=st.randoms(use_true_random=False),
)
def test_ranges_of_words_together_are_the_lexicon(
    tmp_path: Path, batches: list[list[Document]], block_bytes: int, parts: int, shuffled: random.Random
) -> None:
    """Byte by byte, for blocks of any size, any number of parts, and the lists in any order."""
    whole = make_lexicon(batches, tmp_path).read_bytes()
    lists = []
    for number in range(len(batches)):
        lists.append(tmp_path / f"{number}.blocks")
        native.merge_words([tmp_path / f"{number}.words"], lists[-1], "words", BUFFER, block_bytes=block_bytes)
        assert native.read_words(lists[-1]) == native.read_words(tmp_path / f"{number}.words")
    of_parts = []
    for part in range(parts):
        shuffled.shuffle(lists)
        start, end = native.word_range(lists, part, parts)
        assert part == 0 or start == native.word_range(lists, part - 1, parts)[1]
        of_parts.append(tmp_path / f"{part}.lex")
        native.merge_words(lists, of_parts[-1], "lexicon", BUFFER, (start, end), block_bytes)
        words = [word for word, _ in native.read_words(of_parts[-1], "lexicon")]
        assert all(start <= word and (word < end or not end) for word in words)
    header = native.join_lexicons(of_parts, tmp_path / "joined.lex")
    assert (tmp_path / "joined.lex").read_bytes() == whole
    assert header == native.word_list_header(tmp_path / "corpus.lex", "lexicon")


def test_parts_have_similar_bytes_of_words(tmp_path: Path) -> None:
    """As far as blocks allow it. Lexicons in the wrong order are not joined."""
    documents = [[f"w{number:05}" for number in range(4_000)]] * 2
    native.merge_words([count_words(documents, tmp_path / "a")], tmp_path / "b", "words", BUFFER, block_bytes=50)
    sizes, lexicons = [], []
    for part in range(8):
        lexicons.append(tmp_path / f"{part}.lex")
        words = native.word_range([tmp_path / "b"], part, 8)
        sizes.append(native.merge_words([tmp_path / "b"], lexicons[-1], "lexicon", BUFFER, words).words)
    assert sum(sizes) == 4_000
    assert max(sizes) - min(sizes) < 50
    with pytest.raises(StageFileError, match=r"0\.lex: its words are out of order"):
        native.join_lexicons([lexicons[1], lexicons[0]], tmp_path / "out")
    with pytest.raises(ValueError, match="part must be below 8, not 8"):
        native.word_range([tmp_path / "b"], 8, 8)


def test_blocks_of_a_damaged_list_are_named(tmp_path: Path) -> None:
    """A list of several blocks that is truncated or changed anywhere, where any part reads it."""
    documents = [[f"w{number % 37}" for number in range(90)]]
    native.merge_words([count_words(documents, tmp_path / "a")], tmp_path / "b", "words", BUFFER, block_bytes=30)
    path = tmp_path / "damaged.words"
    for data in damaged_copies(tmp_path / "b"):
        path.write_bytes(data)
        with pytest.raises(StageFileError, match=r"damaged\.words: "):
            merge_in_parts(path, tmp_path / "out", 3)


def merge_in_parts(path: Path, output: Path, parts: int) -> None:
    """Merges a list with itself alone, part by part."""
    for part in range(parts):
        native.merge_words([path], output, "lexicon", BUFFER, native.word_range([path], part, parts))


@relaxed
@given(documents=document_lists)
def test_ids_follow_frequency_then_bytes(tmp_path: Path, documents: list[Document]) -> None:
    """The ids of a run's unigrams are the ranks of the words by descending frequency, ties by bytes."""
    header = build_runs(documents, make_lexicon([documents], tmp_path), tmp_path / "a.runs", 1)
    counts = Counter(word.encode() for document in documents for word in document)
    ranked = sorted((-count, word) for word, count in counts.items() if count > 1)
    expected = [((rank,), -ranked[rank][0]) for rank in range(len(ranked))]
    assert [item for run in header.runs for item in native.read_run(run, 1)] == expected


@relaxed
@given(
    documents=document_lists,
    n=st.integers(1, 12),
    chunk_tokens=st.integers(2, 60),
    piece=st.integers(1, 50),
)
def test_runs_hold_every_ngram_that_could_recur(
    tmp_path: Path, documents: list[Document], n: int, chunk_tokens: int, piece: int
) -> None:
    """The runs of any chunk size are sorted, and together they have each n-gram without a hapax, with its count."""
    header = build_runs(
        documents, make_lexicon([documents], tmp_path), tmp_path / "a.runs", n, chunk_tokens, piece=piece
    )
    found: Counter[tuple[int, ...]] = Counter()
    for run in header.runs:
        ngrams = native.read_run(run, n)
        assert [ngram for ngram, _ in ngrams] == sorted({ngram for ngram, _ in ngrams})
        found.update(dict(ngrams))
    words = Counter(word for document in documents for word in document)
    ranked = sorted((-count, word.encode()) for word, count in words.items() if count > 1)
    ids = {word.decode(): rank for rank, (_, word) in enumerate(ranked)}
    all_ngrams = oracle(documents, n)
    expected = {
        tuple(ids[word] for word in ngram): count
        for ngram, count in all_ngrams.items()
        if all(word in ids for word in ngram)
    }
    assert found == Counter(expected)
    assert header.ngrams == all_ngrams.total()
    assert header.tokens == words.total()
    assert header.hapaxes == sum(count == 1 for count in words.values())


@relaxed
@given(
    batches=st.lists(document_lists, min_size=1, max_size=5),
    n=st.integers(1, 6),
    chunk_tokens=st.integers(2, 60),
    capacity=st.integers(1, 20),
    stop_words=st.sets(st.sampled_from(["the", "The", "a", "."])),
)
def test_duplicates_are_the_oracles_however_the_corpus_is_split(
    tmp_path: Path,
    batches: list[list[Document]],
    n: int,
    chunk_tokens: int,
    capacity: int,
    stop_words: set[str],
) -> None:
    """For any batches, chunks and memory for keys: the keys and counts of a plain count."""
    lexicon = make_lexicon(batches, tmp_path)
    headers = [
        build_runs(documents, lexicon, tmp_path / f"{number}.runs", n, chunk_tokens, sorted(stop_words))
        for number, documents in enumerate(batches)
    ]
    expected = oracle([d for documents in batches for d in documents], n, lambda word: word not in stop_words)
    found, totals = merge(headers, lexicon, tmp_path / "keys", n, capacity)
    assert found == duplicates(expected)
    assert totals.instances == sum(found.values())
    assert totals.collisions == 0
    assert sum(header.ngrams for header in headers) == expected.total()


@relaxed
@given(batches=st.lists(document_lists, min_size=2, max_size=5), n=st.integers(1, 4))
def test_runs_merge_in_steps(tmp_path: Path, batches: list[list[Document]], n: int) -> None:
    """Runs merged to one run first give the same keys and counts."""
    lexicon = make_lexicon(batches, tmp_path)
    headers = [
        build_runs(documents, lexicon, tmp_path / f"{number}.runs", n, 20) for number, documents in enumerate(batches)
    ]
    runs = [run for header in headers for run in header.runs]
    native.merge_runs(runs, n, tmp_path / "merged.runs", BUFFER)
    merged = native.read_runs_header(tmp_path / "merged.runs")
    assert merge([merged], lexicon, tmp_path / "a", n)[0] == merge(headers, lexicon, tmp_path / "b", n)[0]


def test_punctuation_is_left_out(tmp_path: Path) -> None:
    """Without punctuation, n-grams run across tokens that start with punctuation or a symbol."""
    documents = [["a", ",", "b"], ["a", "—", "b"], ["a", "$5", "b"]]
    lexicon = make_lexicon([documents], tmp_path)
    tokens = count_tokens(vertical(documents), tmp_path / "a.tokens", count_punctuation=False)
    header = runs_of_tokens(tokens, lexicon, tmp_path / "a.runs", 2, 100)
    assert merge([header], lexicon, tmp_path / "keys", 2)[0] == {native.ngram_key([b"a", b"b"]): 3}
    assert header.tokens == 6


LONG = {
    "one token": ["a"] * 1_000_000,
    "two tokens by turns": ["a", "b"] * 300_000,
    "a period of 1,000": [f"w{number % 1_000}" for number in range(400_000)],
    "a period longer than n by one": [f"w{number % 11}" for number in range(400_000)],
    "one token, then another": ["a"] * 200_000 + ["b"] * 200_000,
}


@pytest.mark.parametrize("name", LONG)
def test_regular_texts_are_sorted_in_linear_time(tmp_path: Path, name: str) -> None:
    """Texts that are only repetition, the worst case for a suffix sort, give their few n-grams."""
    document = LONG[name]
    lexicon = make_lexicon([[document]], tmp_path)
    header = build_runs([document], lexicon, tmp_path / "a.runs", 10, 1_200_000)
    found, totals = merge([header], lexicon, tmp_path / "keys", 10)
    assert found == duplicates(oracle([document], 10))
    assert totals.instances == sum(found.values())


def test_chunks_of_rare_words_are_full_early(tmp_path: Path) -> None:
    """If ids have longer codes than expected, a chunk ends before it has all its tokens."""
    document = sorted(f"w{number}" for number in range(160_000))
    lexicon = make_lexicon([[document, document]], tmp_path)
    header = build_runs([document[-20_000:]], lexicon, tmp_path / "a.runs", 2, 4_000)
    assert len(header.runs) > 20_000 / 3_900
    ids = [ngram for run in header.runs for ngram, _ in native.read_run(run, 2)]
    assert ids == [(number, number + 1) for number in range(140_000, 159_999)]


def test_longest_ngrams_of_rare_words(tmp_path: Path) -> None:
    """n-grams of 64 words with long codes differ by their last word."""
    document = [f"w{number}" for number in range(40_000)]
    changed = [*document[:20000], "w1", *document[20001:]]
    lexicon = make_lexicon([[document, changed]], tmp_path)
    header = build_runs([document, changed], lexicon, tmp_path / "a.runs", 64, 50_000)
    assert merge([header], lexicon, tmp_path / "keys", 64)[0] == duplicates(oracle([document, changed], 64))


def _unmix(x: int) -> int:
    """The inverse of mix64."""
    x ^= (x >> 31) ^ (x >> 62)
    x = x * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    x ^= (x >> 27) ^ (x >> 54)
    x = x * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return x ^ (x >> 30) ^ (x >> 60)


@given(word=st.binary(min_size=1, max_size=40))
def test_word_key_is_that_of_its_definition(word: bytes) -> None:
    """The key of a word is the hash of its bytes, in little-endian groups of eight."""
    assert native.word_key(word) == word_key(word)


def words_of_one_key() -> tuple[bytes, bytes]:
    """Two words with equal keys: word_key is a bijection for words of eight bytes."""
    for number in itertools.count():
        short = f"w{number}".encode()
        key = native.word_key(short)
        group = _unmix(_unmix(key) * pow(GOLDEN, -1, 2**64) & MASK) ^ mix64(GOLDEN + 8 & MASK)
        long = group.to_bytes(8, "little")
        if native.word_key(long) == key and not set(long) & set(b"\n\t\r<"):
            return short, long
    raise AssertionError


def test_different_ngrams_of_one_key_are_counted_as_collisions(tmp_path: Path) -> None:
    """Duplicate n-grams that share a key give one key, the sum of their counts, and a collision."""
    short, long = words_of_one_key()
    text = b"<doc>\na\n%b\nb\na\n%b\nb\na\n%b\nb\na\n%b\nb\na\n%b\nb\n</doc>\n" % (
        short,
        short,
        long,
        long,
        long,
    )
    counter = native.WordCounter()
    counter.feed(text)
    counter.finish()
    counter.write(tmp_path / "a.words")
    native.merge_words([tmp_path / "a.words"], tmp_path / "corpus.lex", "lexicon", BUFFER)
    tokens = count_tokens(text, tmp_path / "a.tokens")
    header = runs_of_tokens(tokens, tmp_path / "corpus.lex", tmp_path / "a.runs", 3, 100)
    a_b, b_a = native.ngram_key([b"a", short, b"b"]), native.ngram_key([short, b"b", b"a"])
    for capacity in (1, 100):
        found, totals = merge([header], tmp_path / "corpus.lex", tmp_path / "keys", 3, capacity)
        assert found == {a_b: 2 + 3, b_a: 2 + 2, native.ngram_key([b"b", b"a", long]): 3}
        assert (totals.keys, totals.instances, totals.collisions) == (3, 12, 2)


def damaged_copies(path: Path) -> Iterator[bytes]:
    """Returns the file truncated at every length, with each byte changed, and with one more byte."""
    data = path.read_bytes()
    for place in range(len(data)):
        yield data[:place]
        yield data[:place] + bytes([data[place] ^ (1 << place % 8)]) + data[place + 1 :]
        yield data[:place] + b"\xff" + data[place + 1 :] if data[place] != 255 else data + b"\0"
    yield data + b"\0"


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Path, native.RunsHeader]:
    """A word list, a lexicon and runs of a few documents."""
    documents = [["a", "b", "c", "a", "b", "c", "d"], ["a", "b", "c", "a"], ["e", "é", "a", "b", "c"]]
    lexicon = make_lexicon([documents], tmp_path)
    return tmp_path / "0.words", lexicon, build_runs(documents, lexicon, tmp_path / "a.runs", 2, 8)


def test_damaged_word_lists_are_named(tmp_path: Path, small: tuple[Path, Path, native.RunsHeader]) -> None:
    """A word list that is truncated or changed anywhere is a StageFileError with its name."""
    path = tmp_path / "damaged.words"
    for data in damaged_copies(small[0]):
        path.write_bytes(data)
        with pytest.raises(StageFileError, match=r"damaged\.words: "):
            native.merge_words([small[0], path], tmp_path / "out", "words", BUFFER)


def test_damaged_lexicons_are_named(tmp_path: Path, small: tuple[Path, Path, native.RunsHeader]) -> None:
    """A lexicon that is truncated or changed anywhere is a StageFileError with its name."""
    path = tmp_path / "damaged.lex"
    for data in damaged_copies(small[1]):
        path.write_bytes(data)
        with pytest.raises(StageFileError, match=r"damaged\.lex: "):
            runs_of_tokens(tmp_path / "a.tokens", path, tmp_path / "b.runs", 2, 8)
        with pytest.raises(StageFileError, match=r"damaged\.lex: "):
            native.DuplicateCollector([], 2, path, BUFFER, 1, tmp_path / "spill")


def test_damaged_runs_are_named(tmp_path: Path, small: tuple[Path, Path, native.RunsHeader]) -> None:
    """A file of runs that is truncated or changed anywhere is a StageFileError with its name."""
    path = tmp_path / "damaged.runs"
    whole = small[2].runs
    for data in damaged_copies(tmp_path / "a.runs"):
        path.write_bytes(data)
        with pytest.raises(StageFileError, match=r"damaged\.runs: "):
            merge_with(whole, path, small[1], tmp_path)


def merge_with(whole: list[native.Run], path: Path, lexicon: Path, folder: Path) -> None:
    """Merges the runs of `path` with undamaged ones."""
    runs = whole + native.read_runs_header(path).runs
    collector = native.DuplicateCollector(runs, 2, lexicon, BUFFER, 100, folder / "spill")
    while collector.advance(100):
        pass


def forged(path: Path, entries: bytes, count: int) -> native.Run:
    """A file with one run, and with the right checksum of its bytes."""
    path.write_bytes(entries)
    return native.Run(str(path), 0, len(entries), count, native.checksum(entries))


#: Entries of a run of 2-grams (shared bytes, twice the others, the others; runs.hpp), and how many they are said to be.
FORGED = {
    "an n-gram twice": (b"\0\2\x20\1\2\x20", 2),
    "the same bytes again": (b"\0\2\x20\0\2\x20", 2),
    "descending": (b"\0\2\x20\0\2\x10", 2),
    "nothing new": (b"\0\2\x20\1\0", 2),
    "more shared than there is": (b"\0\2\x20\2\2\x20", 2),
    "longer than two ids can be": (b"\0\x18" + b"\1" * 12, 1),
    "a number of two bytes for one": (b"\x80\0\2\x20", 1),
    "a number of 65 bits": (b"\0\x83" + b"\x80" * 8 + b"\x02\x20\0", 1),
    "a count of 2 ** 64": (b"\0\3\x20" + b"\xfe" + b"\xff" * 8 + b"\1", 1),
    "a number without an end": (b"\0\3\x20" + b"\xff" * 20, 1),
}


@pytest.mark.parametrize("name", FORGED)
def test_impossible_runs_are_errors(tmp_path: Path, name: str) -> None:
    """Errors that checksums do not detect are also a StageFileError with the file's name."""
    entries, count = FORGED[name]
    run = forged(tmp_path / "damaged.runs", entries, count)
    with pytest.raises(StageFileError, match=r"damaged\.runs: .* (is damaged|out of order)"):
        native.merge_runs([run], 2, tmp_path / "merged.runs", BUFFER)


def test_the_largest_count_is_read(tmp_path: Path) -> None:
    """2 ** 64 - 1 is a valid count."""
    run = forged(tmp_path / "a.runs", b"\0\3\x40" + b"\xfd" + b"\xff" * 8 + b"\1", 1)
    assert native.read_run(run, 2) == [((0, 1), 2**64 - 1)]


def test_ngrams_of_different_lengths_do_not_merge(tmp_path: Path) -> None:
    """Runs are refused if an n-gram of one is the beginning of an n-gram of another, in both orders."""
    runs = [forged(tmp_path / "a.runs", b"\0\2\x20", 1), forged(tmp_path / "b.runs", b"\0\4\x20\0", 1)]
    for sources in (runs, runs[::-1]):
        with pytest.raises(RuntimeError, match="do not belong to their lexicon"):
            native.merge_runs(sources, 2, tmp_path / "merged.runs", BUFFER)


@pytest.mark.parametrize("kind", ["words", "lexicon"])
def test_other_files_are_not_word_lists(tmp_path: Path, kind: str) -> None:
    """A missing file, or a file of another kind, is a StageFileError that says so."""
    (tmp_path / "a").write_bytes(b"<doc>\n" * 100)
    with pytest.raises(StageFileError, match="a: it is not "):
        native.word_list_header(tmp_path / "a", kind)
    with pytest.raises(StageFileError, match="none: no such file"):
        native.word_list_header(tmp_path / "none", kind)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_an_oserror() -> None:
    """Writing to a full device raises OSError with its number and the file's name."""
    counter = native.WordCounter()
    counter.feed(b"<doc>\na\n</doc>\n")
    counter.finish()
    with pytest.raises(OSError) as caught:
        counter.write("/dev/full")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, "/dev/full")


@given(data=st.binary(max_size=40))
def test_checksum_sees_every_change_of_a_byte(data: bytes) -> None:
    """Changing, adding or removing one byte changes the checksum."""
    expected = native.checksum(data)
    others = [data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :] for place in range(len(data))]
    assert expected not in [native.checksum(other) for other in [*others, data + b"\0", data[:-1]] if other != data]


@given(pieces=st.lists(st.binary(max_size=20)))
def test_checksum_does_not_depend_on_pieces(pieces: list[bytes]) -> None:
    """The checksum of a section is that of all its bytes, in pieces of any size."""
    assert native.checksum_of_pieces(pieces) == native.checksum(b"".join(pieces))


@pytest.mark.parametrize(("n", "chunk_tokens"), [(0, 100), (65, 1000), (10, 39), (10, 2**32)])
def test_run_builder_checks_its_arguments(tmp_path: Path, n: int, chunk_tokens: int) -> None:
    """Lengths and chunks out of range are ValueErrors."""
    documents = [["a", "a"]]
    lexicon, tokens = make_lexicon([documents], tmp_path), count_tokens(vertical(documents), tmp_path / "a.tokens")
    with pytest.raises(ValueError, match="must be"):
        native.StreamRunBuilder(tmp_path / "a.runs", tokens, lexicon, n, chunk_tokens)


@pytest.mark.parametrize("parts", [0, 2**15 + 1])
def test_run_builder_checks_its_number_of_parts(tmp_path: Path, parts: int) -> None:
    """So are numbers of parts."""
    documents = [["a", "a"]]
    lexicon, tokens = make_lexicon([documents], tmp_path), count_tokens(vertical(documents), tmp_path / "a.tokens")
    with pytest.raises(ValueError, match="parts must be"):
        native.StreamRunBuilder(tmp_path / "a.runs", tokens, lexicon, 2, 100, parts)


def test_errors_name_files_whose_names_are_not_utf8(tmp_path: Path) -> None:
    """A missing input says which step writes it; a folder that is not there, and where to write, is no such step."""
    name = os.fsdecode(b"caf\xe9.runs")
    with pytest.raises(StageFileError, match="no such file; run the step that writes it first") as missing:
        native.read_runs_header(tmp_path / name)
    assert name in str(missing.value)
    (tmp_path / name).write_bytes(b"damaged")
    with pytest.raises(StageFileError) as damaged:
        native.read_runs_header(tmp_path / name)
    assert name in str(damaged.value)
    with pytest.raises(FileNotFoundError):
        native.WordCounter().write(tmp_path / "nowhere" / "out.words")
