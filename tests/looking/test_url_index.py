"""The index of URLs, with pieces so small that there are many."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from corpusprep.errors import StageFileError
from corpusprep.io import memory as limits
from corpusprep.looking import url_index
from corpusprep.looking.url_index import UrlIndex, host_key, url_key, write_index
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table

MEMORY = 2_000_000_000
KEYS = ("batch", "record", "id")


def write_tables(folder: Path, batches: dict[str, list[str]]) -> None:
    """Writes the tables of records and documents with these URLs; every second record is a document."""
    for name, urls in batches.items():
        hosts = [url.split("/")[2] if "//" in url else "" for url in urls]
        rows = [
            {"batch": name, "record": number, "url": url, "host": host}
            for number, (url, host) in enumerate(zip(urls, hosts, strict=True))
        ]
        write_table(
            pl.DataFrame(rows, schema=schemas.ENCODING), schemas.ENCODING, folder / "encoding" / f"{name}.parquet"
        )
        documents = [{"batch": name, "record": row["record"], "id": identifier(row["url"])} for row in rows[::2]]
        write_table(
            pl.DataFrame(documents, schema=schemas.TOKENS), schemas.TOKENS, folder / "tokens" / f"{name}.parquet"
        )


def identifier(url: object) -> str:
    """A made-up identifier of 16 digits."""
    return f"{random.Random(str(url)).getrandbits(64):016x}"


@pytest.fixture
def urls() -> dict[str, list[str]]:
    """The URLs of three batches: some hosts with many pages, one URL very often, records without a URL."""
    chance = random.Random(3)
    made = [f"http://{chance.choice('abc')}.example.org/{chance.randrange(90)}" for _ in range(250)]
    made += ["http://often.example/"] * 60 + [""] * 20 + ["https://c.example.org:8080/x?q=ä"]
    chance.shuffle(made)
    return {"b0": made[:150], "b1": made[150:151], "b2": made[151:]}


def test_everything_is_found(urls: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every record by its URL and every document by its identifier, whatever the memory and the size of a piece."""
    write_tables(tmp_path, urls)
    monkeypatch.setattr(url_index, "ROWS_PER_PIECE", 24)
    monkeypatch.setattr(url_index, "SAMPLED", 4)
    write_index(tmp_path, list(urls), tmp_path / "large", MEMORY)
    monkeypatch.setattr(url_index, "MOST_ROWS", 50)
    write_index(tmp_path, list(urls), tmp_path / "small", MEMORY)
    assert (tmp_path / "large").read_bytes() == (tmp_path / "small").read_bytes()
    index = UrlIndex.open(tmp_path / "large")
    assert index.directory.filter(section="urls").height > 5
    expected: dict[str, list[tuple[str, int]]] = {}
    for name, listed in urls.items():
        for number, url in enumerate(listed):
            if url:
                expected.setdefault(url, []).append((name, number))
    for url, places in expected.items():
        rows = index.around(url_key(url), 3)
        assert rows.filter(url=url).select("batch", "record").rows() == sorted(places)
        assert rows.height <= len(places) + 6
    for name, number in (place for places in expected.values() for place in places if place[1] % 2 == 0):
        rows = index.documents(identifier(urls[name][number]))
        assert (name, number) in rows.select("batch", "record").rows()
    assert index.documents("f" * 16).is_empty()
    of_host = index.beginning(host_key("b.example.org"), 10_000)
    assert sorted(of_host["url"]) == sorted(url for listed in urls.values() for url in listed if "//b.ex" in url)


def test_no_more_keys_are_sampled_of_larger_corpora(
    urls: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pieces become less even, and everything is found; long rows are distributed in smaller portions."""
    write_tables(tmp_path, urls)
    monkeypatch.setattr(url_index, "ROWS_PER_PIECE", 24)
    monkeypatch.setattr(url_index, "SAMPLED", 1)
    monkeypatch.setattr(url_index, "MOST_SAMPLED", 40)
    monkeypatch.setattr(url_index, "ROW_BYTES", 1)
    distributed: list[int] = []
    together = url_index._together

    def watched(*arguments: Any) -> Iterator[pl.DataFrame]:
        for rows in together(*arguments):
            distributed.append(rows.height)
            yield rows

    monkeypatch.setattr(url_index, "_together", watched)
    monkeypatch.setattr(url_index, "MOST_ROWS", 200)
    write_index(tmp_path, list(urls), tmp_path / "index", MEMORY)
    index = UrlIndex.open(tmp_path / "index")
    assert 5 < index.directory.filter(section="urls").height <= 40
    # 200 rows of one byte are allowed, and rows have more: so tables are not put together.
    tables = [[url for url in listed if url] for listed in urls.values()]
    assert distributed == [*map(len, tables), *(-(-len(listed) // 2) for listed in urls.values())]
    for name, listed in urls.items():
        for number, url in enumerate(listed):
            assert not url or (name, number) in index.around(url_key(url), 3).select("batch", "record").rows()


@pytest.mark.slow
def test_the_sample_does_not_keep_the_tables(tmp_path: Path) -> None:
    """The keys of 400 tables with 16,000 identifiers each are 100 MB; the sample of them is 0.2 MB."""
    identifiers = [f"{number:016x}" for number in range(16_000)]
    table = tmp_path / "0.parquet"
    write_table(
        pl.DataFrame({"batch": "b", "record": range(16_000), "id": identifiers}, schema_overrides=schemas.TOKENS)
        .with_columns(pl.lit(None, kind).alias(name) for name, kind in schemas.TOKENS.items() if name not in KEYS)
        .select(schemas.TOKENS.names()),
        schemas.TOKENS,
        table,
    )
    tables = [table] * 400
    url_index._starts(tables[:10], [pl.col("id").alias("key")], None)
    before = limits.held()
    with limits.peak() as most:
        starts = url_index._starts(tables, [pl.col("id").alias("key")], None)
    assert len(starts) == -(-16_000 // url_index.SAMPLED)  # the tables are one and the same
    used = most()
    assert used is not None
    assert used - before < 40 << 20


def test_a_damaged_index_is_an_error(urls: dict[str, list[str]], tmp_path: Path) -> None:
    """At any byte that is read; also an index that is cut short, or of another version."""
    write_tables(tmp_path, urls)
    path = tmp_path / "index"
    write_index(tmp_path, list(urls), path, MEMORY)
    whole = path.read_bytes()
    key = url_key("http://often.example/")
    for place in (10, len(whole) - 5, len(whole) - 30, len(whole) - 200):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(StageFileError, match="run `corpusprep index` again"):
            UrlIndex.open(path).around(key, 1)
    path.write_bytes(whole[:-1])
    with pytest.raises(StageFileError, match="not an index of URLs, or cut short"):
        UrlIndex.open(path)
    with pytest.raises(StageFileError, match="run `corpusprep index` first"):
        UrlIndex.open(tmp_path / "none")


def test_keys_put_the_pages_of_a_host_together() -> None:
    """The labels of the host in reverse order; without scheme and port."""
    assert url_key("https://user@www.Example.org:8080/a?b#c") == "org,example,www)/a?b#c"
    assert url_key("dns:example.org") == ")example.org"
    assert host_key("example.org") == "org,example)"
