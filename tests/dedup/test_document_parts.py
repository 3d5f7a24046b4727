"""Exact duplicates in parts: the same tables as in one, for any number of parts."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.token_tables import Row, row, write_tokens

from corpusprep.dedup import document_parts
from corpusprep.dedup.exact_duplicates import find_duplicates
from corpusprep.dedup.forgetting import ForgetList
from corpusprep.errors import StageFileError

PLENTY = 4 * 10**9
URLS = ("http://a/", "http://B/", "http://a/é", "http://a/z", "http://a/\U0001f600", "http://a/\uff5e", "")
DATES = ("2020-01-01T00:00:00Z", "2019-12-31T23:59:59Z", "")
rows = st.builds(row, st.sampled_from(DATES), st.sampled_from(URLS), st.integers(0, 9), st.integers(0, 1))


def in_parts(
    folder: Path, batches: list[str], parts: int, bundled: int = 1, forgotten: ForgetList | None = None
) -> dict[str, bytes]:
    """The tables of the batches of `folder`, by way of parts and bundles."""
    numbers = {batch: number for number, batch in enumerate(batches)}
    bundles = [batches[first : first + bundled] for first in range(0, len(batches), bundled)]
    named = [{batch: numbers[batch] for batch in bundle} for bundle in bundles]
    files = {
        kind: [folder / f"{kind}-{number}.parquet" for number in range(count)]
        for kind, count in (("order", len(named)), ("digest", len(named)), ("ranks", parts), ("duplicates", parts))
    }
    for bundle, order, digest in zip(named, files["order"], files["digest"], strict=True):
        document_parts.sort_documents(bundle, folder, order, digest, PLENTY, forgotten)
    for part, (ranks, duplicates) in enumerate(zip(files["ranks"], files["duplicates"], strict=True)):
        document_parts.decide_part(files["order"], files["digest"], part, parts, ranks, duplicates, PLENTY)
    for bundle in named:
        document_parts.write_tables(
            bundle, folder, files["ranks"], files["duplicates"], folder / "in_parts", PLENTY, forgotten
        )
    return tables(folder / "in_parts")


def tables(folder: Path) -> dict[str, bytes]:
    """The files of a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.lists(rows, max_size=12), min_size=1, max_size=5),
    st.sampled_from([2, 3, 7]),
    st.integers(1, 3),
    st.integers(1, 3),
    st.booleans(),
)
def test_parts_give_the_same_tables(
    tmp_path_factory: pytest.TempPathFactory,
    contents: list[list[Row]],
    parts: int,
    bundled: int,
    sampled: int,
    forgets: bool,
) -> None:
    """Byte for byte, for any batches, bundles, parts and bounds of parts, also where documents are forgotten."""
    batches = {f"b{number:05d}": documents for number, documents in enumerate(contents)}
    folder = write_tokens(tmp_path_factory.mktemp("tokens"), batches)
    forgotten = ForgetList(frozenset({URLS[0]}), {}, frozenset(), frozenset()) if forgets else None
    find_duplicates(list(batches), folder, folder / "whole", PLENTY, forgotten)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(document_parts, "SAMPLED_BUNDLES", sampled)
        assert in_parts(folder, list(batches), parts, bundled, forgotten) == tables(folder / "whole")


def test_pieces_and_parts_that_do_not_fit_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorted in many pieces, which are read by ranges; parts are divided again."""
    chooser = random.Random(5)
    batches = {
        f"b{number:05d}": [
            row(chooser.choice(DATES), f"http://h/{chooser.randrange(99)}", chooser.randrange(300)) for _ in range(150)
        ]
        for number in range(3)
    }
    folder = write_tokens(tmp_path, batches)
    find_duplicates(list(batches), folder, folder / "whole", PLENTY)
    monkeypatch.setattr(document_parts, "ROWS_PER_RANGE", 16)
    monkeypatch.setattr(document_parts, "ROWS_PER_GROUP", 7)
    gathered = document_parts._gathered
    monkeypatch.setattr(
        document_parts, "_gathered", lambda pieces, _: gathered((s for p in pieces for s in p.iter_slices(20)), 9_000)
    )
    plan_of = document_parts.plan_of
    monkeypatch.setattr(document_parts, "plan_of", lambda *given: (plan_of(*given)[0], 8_000))
    assert in_parts(folder, list(batches), 3) == tables(folder / "whole")


def test_parts_have_similar_sizes(tmp_path: Path) -> None:
    """A range of dates and URLs has its share of the documents, as far as these differ."""
    batches = {f"b{k}": [row(DATES[0], f"http://h/{k}{n:03}", k * 400 + n) for n in range(400)] for k in range(2)}
    in_parts(write_tokens(tmp_path, batches), list(batches), 4)
    sizes = [document_parts.height(tmp_path / f"ranks-{part}.parquet") for part in range(4)]
    assert sum(sizes) == 800
    assert min(sizes) > 150


def test_parts_of_another_run_are_an_error(tmp_path: Path) -> None:
    """Where a batch has changed since, its table is not written."""
    batches = {"b0": [row(DATES[0], "u", n) for n in range(4)]}
    folder = write_tokens(tmp_path, batches)
    in_parts(folder, ["b0"], 2)
    for count in (3, 5):
        write_tokens(tmp_path, {"b0": [row(DATES[0], "u", n) for n in range(count)]})
        found = ([folder / f"{kind}-{part}.parquet" for part in range(2)] for kind in ("ranks", "duplicates"))
        with pytest.raises(StageFileError, match=r"run `corpusprep step exact` again"):
            document_parts.write_tables({"b0": 0}, folder, *found, folder / "again", PLENTY)
