"""All n-grams that occur twice or more, counted without sorting."""

import itertools
import random
import resource
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpusprep._native import ngrams as native
from corpusprep.dedup import resource_plans
from corpusprep.dedup.all_ngrams import DuplicateCounts, added_up, count_duplicates, write_keys
from corpusprep.errors import ResourceError, StageFileError
from corpusprep.io.files import zstd_writer
from corpusprep.text.tokenizer import escape_token

#: More than the tests' own process holds, whatever else runs in it.
PLENTY = 4 * 10**9
Document = Sequence[str]


def write_vertical(path: Path, documents: Sequence[Document]) -> None:
    """A vertical with a block per document."""
    with zstd_writer(path) as stream:
        for document in documents:
            stream.write("\n".join(["<doc>", "<p>", *map(escape_token, document), "</p>", "</doc>", ""]).encode())


def oracle(documents: Sequence[Document], n: int) -> DuplicateCounts:
    """The same counts by a plain count of all n-grams."""
    ngrams = Counter(
        ngram for document in documents for ngram in zip(*(document[start:] for start in range(n)), strict=False)
    )
    repeated = [count for count in ngrams.values() if count > 1]
    return DuplicateCounts(n, sum(map(len, documents)), len(repeated), sum(repeated))


def counted(
    folder: Path,
    batches: Sequence[Sequence[Document]],
    n: int,
    parts: int = 1,
    merged_at_once: int = 100,
    slices: int = 0,
) -> DuplicateCounts:
    """The counts by the two steps, of bundles of one batch each."""
    keys = []
    for number, documents in enumerate(batches):
        write_vertical(vertical := folder / f"{number}.vert.zst", documents)
        keys.append(folder / f"{number}.keys")
        write_keys([vertical], None, keys[-1], memory=PLENTY, n=n, parts=parts, keys_at_once=native.MIN_CAPACITY)
    return added_up(
        [
            count_duplicates(keys, folder, PLENTY, part=part, parts=parts, merged_at_once=merged_at_once, slices=slices)
            for part in range(parts)
        ]
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    documents=st.lists(
        st.lists(st.sampled_from(["a", "b", "<", "&amp;", ".", "éa", "longer-than-eight"]), max_size=25),
        min_size=1,
        max_size=10,
    ),
    repeated=st.integers(1, 40),
    cuts=st.sets(st.integers(0, 10), max_size=4),
    n=st.integers(1, 5),
    merged_at_once=st.integers(2, 4),
    parts=st.sampled_from([1, 2, 3, 40]),
    slices=st.integers(0, 4),
)
def test_any_split_of_the_corpus_gives_the_counts_of_the_oracle(
    tmp_path_factory: pytest.TempPathFactory,
    documents: list[list[str]],
    repeated: int,
    cuts: set[int],
    n: int,
    merged_at_once: int,
    parts: int,
    slices: int,
) -> None:
    """Types and instances, also of n-grams so frequent that their partition is full."""
    documents = [document * repeated for document in documents]
    batches = [documents[start:end] for start, end in itertools.pairwise([0, *sorted(cuts), len(documents)])]
    split = tmp_path_factory.mktemp("split")
    assert counted(split, batches, n, parts, merged_at_once, slices) == oracle(documents, n)


def test_full_partitions_give_the_same_counts(tmp_path: Path) -> None:
    """Keys are written as several runs; some n-grams of each batch recur in the other."""
    chooser = random.Random(7)
    words = [f"{number * 7919:x}" for number in range(1000)]
    batches = [[chooser.choices(words, k=100_000), ["w"] * 5_000, words] for _ in range(2)]
    assert counted(tmp_path, batches, 2, parts=3) == oracle([*batches[0], *batches[1]], 2)
    assert len(native.read_keys_header(tmp_path / "0.keys", all_ngrams=True).runs) > 3
    assert native.read_keys_header(tmp_path / "0.keys", all_ngrams=True).left_out > 1000


def test_partitions_that_are_larger_than_the_table_are_counted(tmp_path: Path) -> None:
    """Some have one n-gram, some have several, each 40,000 times and more."""
    documents = [[str(number)] for number in [*range(500), *range(0, 500, 4)]]
    write_vertical(tmp_path / "a.vert.zst", documents)
    write_keys([tmp_path / "a.vert.zst"], None, tmp_path / "a.keys", memory=PLENTY, n=1)
    runs = native.read_keys_header(tmp_path / "a.keys", all_ngrams=True).runs
    for name in ("b", "c"):  # each time, 200 runs become one
        native.merge_long_keys(runs * 200, tmp_path / f"{name}.keys", 1 << 12)
        runs = native.read_keys_header(tmp_path / f"{name}.keys", all_ngrams=True).runs
    for slices in (1, 2, 7):  # of many equal keys, a slice keeps two
        counter = native.RepeatedNgramCounter(runs, 1 << 12, slices=slices)
        while counter.advance():
            pass
        assert counter.totals == (500, 200 * 200 * len(documents))


def test_slices_open_no_more_files_than_one(tmp_path: Path) -> None:
    """Files of a slice are closed before those of the next one are opened."""
    write_vertical(tmp_path / "a.vert.zst", [list("abc")] * 2)
    write_keys([tmp_path / "a.vert.zst"], None, tmp_path / "a.keys", memory=PLENTY, n=2)
    runs = native.read_keys_header(tmp_path / "a.keys", all_ngrams=True).runs * 100
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(path.name) for path in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 150, limits[1]))
    try:
        counter = native.RepeatedNgramCounter(runs, 1 << 12, slices=3)
        while counter.advance():
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert counter.totals == (2, 400)


def test_the_largest_partition_is_known_before_counting(tmp_path: Path) -> None:
    """From the numbers at the beginning of each run, of one part or of all."""
    chooser = random.Random(8)
    documents = [[str(chooser.randrange(1000)) for _ in range(100_000)]]
    for parts in (1, 3):
        counted(tmp_path, [documents] * 2, 1, parts)
        runs = [run for name in "01" for run in native.read_keys_header(tmp_path / f"{name}.keys", True).runs]
        for part in range(parts):
            cuts = [native.PARTITIONS * place // parts for place in (part, part + 1)]
            sizes = sum(np.fromfile(run.path, "<u4", cuts[1] - cuts[0], offset=run.offset) for run in runs[part::parts])
            assert native.largest_partition(runs[part::parts], part, parts) == np.max(sizes) > 1


def test_a_damaged_number_of_keys_is_not_taken_for_their_number(tmp_path: Path) -> None:
    """The error says which file is damaged, not that the memory is too little for so many keys."""
    counted(tmp_path, [[["a", "b"] * 500]], 2)
    path = tmp_path / "0.keys"
    (run,) = native.read_keys_header(path, True).runs
    data = bytearray(path.read_bytes())
    data[run.offset + 3] ^= 0x40  # 2^30 keys more in the first partition
    path.write_bytes(data)
    with pytest.raises(StageFileError, match=r"0\.keys: its index is damaged"):
        native.largest_partition([run])


@given(largest=st.integers(0, 10**11), free=st.integers(10**8, 10**11))
def test_slices_are_as_few_as_the_memory_allows(largest: int, free: int) -> None:
    """One where all fits beside two runs; otherwise a slice takes half of the memory, and one slice fewer more."""
    slices, bytes_for = resource_plans.slices(largest, free), native.RepeatedNgramCounter.bytes_for
    if slices == 1:
        assert bytes_for(largest) <= free
    else:
        assert 2 * bytes_for(largest, slices) <= free or slices == resource_plans.MOST_SLICES
        assert slices == 2 or 2 * bytes_for(largest, slices - 1) > free


def test_order_of_words_matters(tmp_path: Path) -> None:
    """N-grams of the same words in another order, or of the same word at another place, have other keys."""
    documents = [list(words) for words in itertools.permutations("abcd")]
    documents += [["x"] * place + ["y"] + ["x"] * (3 - place) for place in range(4)]
    assert counted(tmp_path, [documents], 4) == DuplicateCounts(4, 4 * len(documents), 0, 0)


def test_files_that_do_not_belong_together_are_an_error(tmp_path: Path) -> None:
    """Keys of other n-grams or for other parts, no keys, too little memory, and a damaged table of counts."""
    counted(tmp_path, [[list("abcab")], [list("ab")]], 2, parts=2)
    keys = [tmp_path / "0.keys", tmp_path / "1.keys"]
    with pytest.raises(StageFileError, match=r"0\.keys: has 2-grams for --parts 2, not 2-grams for --parts 3; run"):
        count_duplicates(keys, tmp_path, PLENTY, parts=3)
    write_keys([tmp_path / "1.vert.zst"], None, keys[1], memory=PLENTY, n=3, parts=2)
    with pytest.raises(StageFileError, match=r"1\.keys: has 3-grams for --parts 2, not 2-grams"):
        count_duplicates(keys, tmp_path, PLENTY, parts=2)
    with pytest.raises(StageFileError, match="no keys to count"):
        count_duplicates([], tmp_path, PLENTY)
    with pytest.raises(ResourceError, match="is too little for counting the n-grams of 1 bundles"):
        count_duplicates(keys[:1], tmp_path, 1 << 20, parts=2)
    counts = DuplicateCounts(10, 400, 2, 8)
    counts.write(tmp_path / "duplicates.tsv")
    assert DuplicateCounts.read(tmp_path / "duplicates.tsv") == counts
    text = (tmp_path / "duplicates.tsv").read_text(encoding="utf-8")
    for damaged in (text.replace("400", "500"), text.splitlines()[0], text[:-1] + "0\n"):
        (tmp_path / "duplicates.tsv").write_text(damaged, encoding="utf-8")
        with pytest.raises(StageFileError, match=r"duplicates\.tsv: "):
            DuplicateCounts.read(tmp_path / "duplicates.tsv")


def test_damaged_keys_are_an_error(tmp_path: Path) -> None:
    """A changed byte anywhere is noticed."""
    counted(tmp_path, [[list("abcab") * 9]], 2)
    path = tmp_path / "0.keys"
    whole = path.read_bytes()
    for place in random.Random(1).sample(range(len(whole)), 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(StageFileError, match=r"0\.keys: "):
            count_duplicates([path], tmp_path, PLENTY)
