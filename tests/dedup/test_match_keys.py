"""The keys of each bundle that `blocks match` reads in a corpus of several parts."""

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import block_corpora as corpora
from support.block_corpora import Document
from support.block_stage import N, crawl, match, write_batches

from corpusprep._native import ngrams as native
from corpusprep.dedup import duplicate_ngrams as steps
from corpusprep.dedup import match_keys
from corpusprep.dedup.match_keys import BundleKeys
from corpusprep.dedup.ngram_keys import NgramKeys, join_parts
from corpusprep.dedup.ngram_words import count_words, make_lexicon
from corpusprep.errors import ResourceError, StageFileError

#: More than the tests' own process holds, whatever else runs in it.
PLENTY = 4 * 10**9
CORPUS = crawl(60)
BATCHES = [[*range(0, 60, 3)], [*range(1, 60, 3)], [*range(2, 60, 3)], []]


def merged(folder: Path, bundles: Sequence[Sequence[str]], parts: int) -> list[Path]:
    """Runs `ngrams` on the batches of a folder; writes its file `keys`. Returns the keys of bundles of each part."""
    names = [bundle[0] for bundle in bundles]
    for bundle in bundles:
        count_words(
            [folder / f"{batch}.vert.zst" for batch in bundle],
            [folder / f"{batch}.documents.parquet" for batch in bundle],
            folder / f"{bundle[0]}.words",
            PLENTY,
            tokens=folder / f"{bundle[0]}.tokens",
            keys=folder / f"{bundle[0]}.keys",
            n=N,
            stop_words=corpora.STOP_WORDS,
        )
    lexicon, candidates = folder / "lexicon", folder / "candidates"
    make_lexicon([folder / f"{name}.words" for name in names], lexicon, PLENTY)
    steps.make_candidates([folder / f"{name}.keys" for name in names], candidates, PLENTY)
    runs = [folder / f"{name}.runs" for name in names]
    for name, output in zip(names, runs, strict=True):
        tokens = folder / f"{name}.tokens"
        steps.make_stream_runs(tokens, lexicon, candidates, output, memory=PLENTY, n=N, chunk_tokens=200, parts=parts)
    pieces = [folder / f"{part}.keys" for part in range(parts)]
    of_bundles = [folder / f"{part}.bundles" for part in range(parts)]
    for part in range(parts):
        steps.merge_duplicates(
            runs, lexicon, pieces[part], PLENTY, part=part, parts=parts, bundles=of_bundles[part], merged_at_once=2
        )
    join_parts(pieces, folder / "keys")
    return of_bundles


def read(paths: Sequence[Path], bundle: int, keys: Path) -> list[tuple[int, int, int]]:
    """The key, number and check of each n-gram of a bundle."""
    own = BundleKeys(paths, bundle, NgramKeys.open(keys))
    pieces = list(own.numbered())
    assert own.count == sum(len(piece[0]) for piece in pieces)
    assert np.array_equal([*itertools.chain(*own.pieces())], [*itertools.chain(*(piece[0] for piece in pieces))])
    return [
        row
        for keys, numbers, checks in pieces
        for row in zip(*map(np.ndarray.tolist, (keys, numbers, checks)), strict=True)
    ]


def oracle(documents: Sequence[Document], own: Sequence[Document]) -> list[tuple[int, int, int]]:
    """The same by sets of n-grams of words."""
    duplicates = corpora.duplicate_ngrams(documents, N)
    numbers = {key: number for number, key in enumerate(sorted(map(corpora.ngram_key, duplicates)))}
    grams = {gram for document in own if document.kept for gram in corpora.ngrams(document, N)}
    keys = {gram: corpora.ngram_key(gram) for gram in grams & set(duplicates)}
    return sorted((key, numbers[key], corpora.ngram_check(gram)) for gram, key in keys.items())


@pytest.fixture
def batches(tmp_path: Path) -> list[str]:
    """The names of batches, whose files are written."""
    write_batches(tmp_path, CORPUS, BATCHES)
    return [f"b{number:05}" for number in range(len(BATCHES))]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=6)
@given(bundled=st.integers(1, 4), parts=st.integers(1, 9), ranges=st.integers(1, 6), piece=st.integers(1, 50))
def test_bundles_have_their_own_duplicates_in_any_division(
    batches: list[str],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    bundled: int,
    parts: int,
    ranges: int,
    piece: int,
) -> None:
    """Those of the oracle, with numbers and checks. `blocks match` writes the same bytes as with all keys."""
    bundles = [batches[first : first + bundled] for first in range(0, len(batches), bundled)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_keys, "PIECE", piece)
        write = match_keys.write_bundle_keys

        def with_little(
            collector: native.DuplicateCollector,
            runs: Sequence[Sequence[native.Run]],
            keys: Path,
            output: Path,
            free: int,
        ) -> None:
            entries = max(sum(run.entries for run in of_bundle) for of_bundle in runs)
            needed = max(8 * NgramKeys.open(keys).count, native.BYTES_PER_PLACE * entries, 1)
            write(collector, runs, keys, output, math.ceil(2 * needed / ranges))

        patch.setattr(match_keys, "write_bundle_keys", with_little)
        paths = merged(tmp_path, bundles, parts)
        for number, bundle in enumerate(bundles):
            own = [CORPUS[document] for batch in bundle for document in BATCHES[int(batch[1:])]]
            assert read(paths, number, tmp_path / "keys") == oracle(CORPUS, own)
            for batch in bundle:
                match(tmp_path, batch)
                whole = (tmp_path / f"{batch}.matches").read_bytes()
                match(tmp_path, batch, parts=paths, bundle=number)
                assert (tmp_path / f"{batch}.matches").read_bytes() == whole


def test_a_changed_byte_is_an_error_that_names_the_file(batches: list[str], tmp_path: Path) -> None:
    """In the header, the index, keys, numbers and checks."""
    paths = merged(tmp_path, [batches[:2], batches[2:]], 2)
    expected = [read(paths, bundle, tmp_path / "keys") for bundle in range(2)]
    whole = paths[0].read_bytes()
    for byte in range(0, len(whole), max(1, len(whole) // 50)):
        paths[0].write_bytes(whole[:byte] + bytes([whole[byte] ^ 0x10]) + whole[byte + 1 :])
        with pytest.raises(StageFileError, match=r"0\.bundles|1\.bundles: the parts have"):
            assert [read(paths, bundle, tmp_path / "keys") for bundle in range(2)] != expected
    paths[0].write_bytes(whole[:-9])
    with pytest.raises(StageFileError, match=r"0\.bundles: its index is damaged; run `corpusprep step .* merge-part`"):
        match(tmp_path, parts=paths)


def test_files_of_other_corpora_and_missing_ones_are_refused(batches: list[str], tmp_path: Path) -> None:
    """Parts must be all parts of the corpus."""
    paths = merged(tmp_path, [batches], 2)
    with pytest.raises(StageFileError, match=r"0\.bundles: the parts have \d+ keys, the corpus has \d+"):
        match(tmp_path, parts=paths[:1])
    with pytest.raises(StageFileError, match=r"none: no such file; run `corpusprep step ngrams merge-part` first"):
        match(tmp_path, parts=[tmp_path / "none"])
    with pytest.raises(StageFileError, match=r"keys: not a file of the keys of bundles"):
        match(tmp_path, parts=[tmp_path / "keys"])
    NgramKeys.write(tmp_path / "keys", N + 1, [], [], ngrams=0, tokens=0)
    with pytest.raises(StageFileError, match=rf"0\.bundles: has {N}-grams, not {N + 1}-grams"):
        match(tmp_path, parts=paths)


def test_a_part_with_too_many_keys_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places in a part have 32 bits."""
    monkeypatch.setattr(NgramKeys, "count", 1 << 32)
    NgramKeys.write(tmp_path / "part.keys", N, [1], [2], ngrams=0, tokens=0)
    with pytest.raises(ResourceError, match=r"has 4,294,967,296 duplicate n-grams; give more `parts` in the config"):
        match_keys.write_bundle_keys(None, [], tmp_path / "part.keys", tmp_path / "none", PLENTY)  # type: ignore[arg-type]
