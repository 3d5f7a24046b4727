"""What a corpus forgets: entries of a list, and documents as if the forgotten ones had never been there."""

import re
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from support.batch_fixture import Block, Page, write_batch
from support.token_tables import Row, row, write_tokens

from corpusprep.archive.batches import Batch
from corpusprep.archive.batches import write_batches as write_plan
from corpusprep.commands.application import application
from corpusprep.dedup.exact_duplicates import find_duplicates
from corpusprep.dedup.forgetting import COLUMNS, RECEIPT, ForgetList
from corpusprep.errors import ConfigError
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import corpus_file
from corpusprep.tables.reading import read_table

PLENTY = 4 * 10**9
URLS = (
    "http://a.example/1",
    "http://a.example/12",
    "http://b.a.example/1",
    "http://xa.example/",
    "http://é.example/",
    "",
    "file:site/2.html",
)


def listed(folder: Path, *entries: str) -> ForgetList:
    """A list with these lines."""
    path = folder / "list.txt"
    path.write_text("# a comment\n\n" + "".join(f"{entry}\n" for entry in entries), encoding="utf-8")
    return ForgetList.read(path)


@pytest.mark.parametrize(
    ("entry", "urls"),
    [
        ("http://a.example/1", {0}),
        ("http://a.example/1*", {0, 1}),
        ("http://a.example*", {0, 1}),
        ("a.example", {0, 1, 2}),
        ("A.Example.", {0, 1, 2}),
        ("é.example", {4}),
        ("xn--9ca.example", {4}),
        ("b.example", set()),
        ("file:site/2.html", {6}),
        ("file:site/*", {6}),
        ("file:/site/*", set()),
        ("0" * 32, set()),
    ],
)
def test_entries(tmp_path: Path, entry: str, urls: set[int]) -> None:
    """Addresses, prefixes, and hosts with their subdomains; the matching entry is known."""
    documents = pl.DataFrame([(url, "d", "p", "i") for url in URLS], schema=list(COLUMNS), orient="row")
    found = listed(tmp_path, entry).matched(documents)
    assert {number for number, one in enumerate(found) if one is not None} == urls
    assert len(found.drop_nulls().unique()) <= 1


def test_of_several_entries_one_is_named(tmp_path: Path) -> None:
    """The host before addresses; an address before prefixes, and the longest of these; any of them before digests."""
    documents = pl.DataFrame([(url, "d", "p", "0" * 16) for url in URLS[:4]], schema=list(COLUMNS), orient="row")
    entries = ["0" * 16, "http://a.example/*", "http://a.example/1*", "http://a.example/1"]
    found = listed(tmp_path, *entries).matched(documents).to_list()
    assert found == ["http://a.example/1", "http://a.example/1*", "0" * 16, "0" * 16]
    assert listed(tmp_path, "a.example", *entries).matched(documents).to_list() == ["a.example"] * 3 + ["0" * 16]


def test_digests(tmp_path: Path) -> None:
    """Of the text, of the page, or the id; in any case."""
    rows = [
        ("u", "a" * 32, "b" * 32, "c" * 16),
        ("u", "d" * 32, "b" * 32, "e" * 16),
        ("u", "0" * 32, "1" * 32, "2" * 16),
    ]
    documents = pl.DataFrame(rows, schema=list(COLUMNS), orient="row")
    assert listed(tmp_path, "B" * 32).matched(documents).to_list() == ["b" * 32, "b" * 32, None]
    assert listed(tmp_path, "a" * 32, "2" * 16).matched(documents).to_list() == ["a" * 32, None, "2" * 16]


@pytest.mark.parametrize(
    "entry",
    [
        "http://",
        "https://*",
        "a b",
        "/path",
        "*.example",
        "http://a/*b",
        "file:*",
        "file:///*",
        "file:a*b",
        "abc",
        "!a.example",
        "deadbeef",
    ],
)
def test_an_entry_that_is_none_is_named_with_its_line(tmp_path: Path, entry: str) -> None:
    """In one line, with what is allowed."""
    with pytest.raises(ConfigError, match=re.escape(f"{tmp_path}/list.txt, line 4: {entry!r} is no address")):
        listed(tmp_path, "ok.example", entry)


def test_a_list_that_is_missing_is_named(tmp_path: Path) -> None:
    """With the reason."""
    with pytest.raises(ConfigError, match=r"none\.txt: the list cannot be read: No such file"):
        ForgetList.read(tmp_path / "none.txt")


rows = st.builds(
    row, st.sampled_from(["2020-01-01T00:00:00Z", ""]), st.sampled_from(URLS), st.integers(0, 3), st.integers(0, 1)
)
NEEDED = ["verdict", "duplicate_of", "rank"]


@settings(max_examples=8, deadline=None)
@given(st.lists(st.lists(rows, max_size=8), min_size=1, max_size=3), st.sampled_from(["a.example", URLS[0], "00" * 16]))
def test_all_is_as_if_they_had_never_been_there(
    tmp_path_factory: pytest.TempPathFactory, contents: list[list[Row]], entry: str
) -> None:
    """Verdicts, ranks and originals of the others are those of a build without the forgotten documents."""
    folder = tmp_path_factory.mktemp("forget")
    forgotten = listed(folder, entry)
    batches = {f"b{number:05d}": rows for number, rows in enumerate(contents)}
    tokens = write_tokens(folder / "with", batches)
    find_duplicates(list(batches), tokens, folder / "out", PLENTY, forgotten)
    others: dict[str, list[Row]] = {}
    stay: dict[str, list[bool]] = {}
    for batch, rows in batches.items():
        table = read_table(tokens / f"{batch}.parquet", schemas.TOKENS)
        stay[batch] = forgotten.matched(table.select(COLUMNS).with_columns(pl.all().fill_null(""))).is_null().to_list()
        others[batch] = [one for one, kept in zip(rows, stay[batch], strict=True) if kept]
    find_duplicates(list(others), write_tokens(folder / "without", others), folder / "expected", PLENTY)
    for batch in batches:
        found = read_table(folder / "out" / f"{batch}.parquet", schemas.DOCUMENTS)
        expected = read_table(folder / "expected" / f"{batch}.parquet", schemas.DOCUMENTS)
        assert [verdict == "forgotten" for verdict in found["verdict"]] == [not kept for kept in stay[batch]]
        assert found.filter(pl.Series(stay[batch], dtype=pl.Boolean)).select(NEEDED).equals(expected.select(NEEDED))


def test_the_receipt_says_what_was_removed_and_where(tmp_path: Path) -> None:
    """One row per document, with the entry, its archive and place; without a list there is none."""
    corpus = tmp_path / "mine"
    write_batch(corpus, [Page(), Page((Block("Other."),), url="http://b.example/x")])
    write_plan([Batch("b00000", (Path("a.warc.gz"),), (1,))], corpus_file(corpus, "plan"))
    path = tmp_path / "list.txt"
    path.write_text("b.example\n")
    arguments = ["step", "documents", str(corpus), "--memory", "2G"]
    assert CliRunner().invoke(application, [*arguments, "--forget", str(path)], catch_exceptions=False).exit_code == 0
    first, header, *rows = (corpus / "forgotten.tsv").read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"# corpusprep \S+; built \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ; entries .*", first)
    assert tuple(header.split("\t")) == RECEIPT
    [cells] = [dict(zip(RECEIPT, one.split("\t"), strict=True)) for one in rows]
    assert (cells["entry"], cells["url"], cells["archive"]) == ("b.example", "http://b.example/x", "crawl/a.warc.gz")
    assert (cells["offset"], cells["record_id"], cells["batch"]) == ("400", "urn:uuid:4", "b00000")
    assert CliRunner().invoke(application, arguments, catch_exceptions=False).exit_code == 0
    assert not (corpus / "forgotten.tsv").exists()
