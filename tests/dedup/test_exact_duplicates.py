"""Exact duplicates and the stable order, against plain Python."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from support.token_tables import Row, row, write_tokens

from corpusprep.commands import documents
from corpusprep.dedup import exact_duplicates
from corpusprep.dedup.document_order import Sorting, census, read_documents
from corpusprep.dedup.exact_duplicates import find_duplicates, plan_of
from corpusprep.errors import ResourceError, StageFileError
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import write_table

PLENTY = 4 * 10**9


def key(row: Row) -> tuple[object, ...]:
    """The stable order: bytes of UTF-8, documents without a date last."""
    values = [row[name].encode() for name in ("date", "url", "digest", "page_digest", "encoding")]
    return (not row["date"], *values)


def expected(batches: dict[str, list[Row]]) -> dict[tuple[str, int], tuple[int, str | None]]:
    """(batch, document) -> (rank, duplicate_of), by sorting in Python."""
    places = [((batch, k), row) for batch, rows in batches.items() for k, row in enumerate(rows)]
    first: dict[str, str] = {}
    verdicts = {}
    for rank, (place, document) in enumerate(sorted(places, key=lambda pair: (key(pair[1]), pair[0]))):
        verdicts[place] = (rank, first.get(document["digest"]))
        first.setdefault(document["digest"], document["id"])
    return verdicts


URLS = ("http://a/", "http://B/", "http://a/é", "http://a/z", "http://a/\U0001f600", "http://a/\uff5e", "")
DATES = ("2020-01-01T00:00:00Z", "2019-12-31T23:59:59Z", "")
rows = st.builds(row, st.sampled_from(DATES), st.sampled_from(URLS), st.integers(0, 5), st.integers(0, 1))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(rows, max_size=12), min_size=1, max_size=4), st.integers(1, 20_000))
def test_order_and_duplicates_are_those_of_sorting(
    tmp_path_factory: pytest.TempPathFactory, contents: list[list[Row]], room: int
) -> None:
    """Ranks and duplicates are those of a sort in memory, for any number of parts."""
    batches = {f"b{number:05d}": rows for number, rows in enumerate(contents)}
    folder = write_tokens(tmp_path_factory.mktemp("tokens"), batches)
    tables = [folder / f"{batch}.parquet" for batch in batches]
    sorting = Sorting(lambda: read_documents(tables), census(tables), tmp_path_factory.mktemp("scratch"), room)
    sorting.sort()
    places = [(batch, k) for batch, rows in batches.items() for k in range(len(rows))]
    ranges = [np.rec.fromarrays(arrays).tolist() for arrays in sorting.ranges()]
    results = itertools.chain.from_iterable(ranges)
    found = {
        place: (rank, f"{kept:016x}" if repeats else None)
        for place, (rank, kept, repeats) in zip(places, results, strict=True)
    }
    assert found == expected(batches)


A, B, C, UNDATED = (row(*spec) for spec in [(DATES[0], "u", 1), (DATES[1], "v", 1), (DATES[0], "w", 2), ("", "a", 1)])


def test_tables_are_in_document_order(tmp_path: Path) -> None:
    """Each batch, one without documents too, gets its table: keys, verdicts, the kept document's id, ranks."""
    batches = {"b00000": [UNDATED, A], "b00001": [], "b00002": [B, C]}
    find_duplicates(list(batches), write_tokens(tmp_path / "tokens", batches), tmp_path / "out", PLENTY)
    tables = {batch: read_table(tmp_path / "out" / f"{batch}.parquet", schemas.DOCUMENTS) for batch in batches}
    assert tables["b00000"].rows() == [
        ("b00000", 1, 0, "exact_duplicate", B["id"], 3),
        ("b00000", 4, 1, "exact_duplicate", B["id"], 1),
    ]
    assert tables["b00001"].rows() == []
    assert tables["b00002"].rows() == [("b00002", 1, 0, "kept", None, 0), ("b00002", 4, 1, "kept", None, 2)]
    assert all(table.schema == schemas.DOCUMENTS for table in tables.values())


def test_the_batches_do_not_matter(tmp_path: Path) -> None:
    """The kept documents and their order do not depend on the batches."""
    pool = [row(date, url, n % 3, n % 2) for n, (date, url) in enumerate(itertools.product(DATES, URLS))]
    results = set()
    for number, size in enumerate([1, 4, 21]):
        shuffled = [pool[k] for k in np.random.default_rng(number).permutation(len(pool))]
        batches = {f"b{k:05d}": shuffled[k : k + size] for k in range(0, len(shuffled), size)}
        out = tmp_path / str(number)
        find_duplicates(list(batches), write_tokens(out / "tokens", batches), out, PLENTY)
        found = {
            (row["id"], row["page_digest"], verdict, duplicate_of, rank)
            for batch, rows in batches.items()
            for row, (verdict, duplicate_of, rank) in zip(
                rows,
                read_table(out / f"{batch}.parquet", schemas.DOCUMENTS, ["verdict", "duplicate_of", "rank"]).rows(),
                strict=True,
            )
        }
        results.add(frozenset(found))
    assert len(results) == 1


def test_the_encoding_settles_what_digests_do_not(tmp_path: Path) -> None:
    """If two servers label one page differently, the kept one does not depend on the batches."""
    pages = [row(DATES[0], "u", 1, 1, encoding) for encoding in ("windows-1252", "utf-8")]
    for number, order in enumerate([pages, pages[::-1]]):
        out = tmp_path / str(number)
        find_duplicates(["b00000"], write_tokens(out / "tokens", {"b00000": order}), out, PLENTY)
        ranks = read_table(out / "b00000.parquet", schemas.DOCUMENTS)["rank"].to_list()
        assert ranks == ([1, 0] if number == 0 else [0, 1])


def test_the_record_id_settles_what_captures_do_not(tmp_path: Path) -> None:
    """Of captures that are equal in all else, the kept one does not depend on the batches: the corpus shows its id."""
    pages = [row(DATES[0], "u", 1) | {"record_digest": digest} for digest in (2**64 - 1, 7, 2**63)]
    for number, order in enumerate(itertools.permutations(pages)):
        batches = {f"b{k:05d}": [page] for k, page in enumerate(order)}
        out = tmp_path / str(number)
        find_duplicates(list(batches), write_tokens(out / "tokens", batches), out, PLENTY)
        ranks = {
            page["record_digest"]: read_table(out / f"{batch}.parquet", schemas.DOCUMENTS)["rank"][0]
            for batch, (page,) in batches.items()
        }
        assert ranks == {7: 0, 2**63: 1, 2**64 - 1: 2}


def test_memory_sets_the_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little memory means more parts; too little is an error that says how much is enough, and nothing is written."""
    found = census([write_tokens(tmp_path, {"b00000": [A, B, C] * 10}) / "b00000.parquet"])
    monkeypatch.setattr(exact_duplicates.limits, "held", lambda: 0)
    monkeypatch.setattr(exact_duplicates.limits, "used", lambda: 0)
    monkeypatch.setattr(exact_duplicates, "LEAST_ROWS", 3)
    always = exact_duplicates.WRITING + exact_duplicates.limits.RESERVE

    def parts(memory: int) -> int:
        return plan_of(found, memory)[0].parts

    assert parts(always + 10**6) == 1
    assert parts(always + 2_500) > parts(always + 6_500) > 1
    with pytest.raises(ResourceError, match=r"30 documents.* at least 110M"):
        plan_of(found, always)
    with pytest.raises(ResourceError, match=r"reading the tables of .* at least 1\d\dM"):
        find_duplicates(["b00000"], tmp_path, tmp_path / "out", always)
    assert not (tmp_path / "out").exists()


def test_no_document_at_all(tmp_path: Path) -> None:
    """A corpus without documents has its tables, without rows."""
    find_duplicates(["b00000"], write_tokens(tmp_path / "tokens", {"b00000": []}), tmp_path / "out", PLENTY)
    assert read_table(tmp_path / "out/b00000.parquet", schemas.DOCUMENTS).is_empty()


@pytest.mark.parametrize("wrong", ["missing", "not Parquet", "numbers with a gap"])
def test_a_wrong_table_is_named(tmp_path: Path, wrong: str) -> None:
    """A missing or damaged table of `tokens` is an error that names it."""
    path = write_tokens(tmp_path, {"b00000": [A, B]}) / "b00000.parquet"
    if wrong == "missing":
        path.unlink()
    elif wrong == "not Parquet":
        path.write_bytes(b"PAR1")
    else:
        write_table(read_table(path, schemas.TOKENS)[1:], schemas.TOKENS, path)
    with pytest.raises(StageFileError, match=re.escape("b00000.parquet")):
        find_duplicates(["b00000"], tmp_path, tmp_path / "out", PLENTY)


def test_command_reads_the_batches(tmp_path: Path) -> None:
    """`documents` takes the batches from batches.tsv, which has one row per archive."""
    write_tokens(tmp_path / "tokens", {"b00000": [A], "b00001": [B]})
    plan = tmp_path / "batches.tsv"
    lines = ["batch\tarchive\tbytes", "b00000\tx.warc\t1", "b00000\ty.warc\t1", "b00001\tz.warc\t1"]
    plan.write_text("\n".join(lines) + "\n", encoding="utf-8")
    # What the tests' process holds counts as its memory.
    options = [str(tmp_path), "--memory", str(PLENTY)]
    done = CliRunner().invoke(documents.command, options, catch_exceptions=False)
    assert done.exit_code == 0
    verdicts = [
        read_table(tmp_path / f"documents/b0000{k}.parquet", schemas.DOCUMENTS)["verdict"].item() for k in (0, 1)
    ]
    assert verdicts == ["exact_duplicate", "kept"]
