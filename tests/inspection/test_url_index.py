"""The index of URLs, with pieces so small that there are many."""

import random
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusprep.errors import ResourceError, StageFileError
from corpusprep.inspection import indexing
from corpusprep.inspection.indexing import join_parts, sort_records, write_index, write_part
from corpusprep.inspection.url_index import UrlIndex, host_key, url_key
from corpusprep.io import memory as limits
from corpusprep.tables import schemas
from corpusprep.tables.writing import write_table

MEMORY = 2_000_000_000
KEYS = ("batch", "record", "id")
addresses = st.builds(
    "http://{}.example/{}".format,
    st.sampled_from(["a", "b.a", "Z", "é"]),
    st.sampled_from(["", "x", "\U0001f600", "\uff5e"]),
) | st.just("")


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
    monkeypatch.setattr(indexing, "ROWS_PER_PIECE", 24)
    monkeypatch.setattr(indexing, "SAMPLED", 4)
    write_index(tmp_path, list(urls), tmp_path / "large", MEMORY)
    monkeypatch.setattr(indexing, "MOST_ROWS", 50)
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


def test_all_pages_of_each_host_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a piece begins with the first page of a host, or ends with its address without a path."""
    pages = [f"http://h{host:02}.example{path}" for host in range(60) for path in ("", "/a", "/b")[: 1 + host % 3]]
    write_tables(tmp_path, {"b0": pages})
    monkeypatch.setattr(indexing, "ROWS_PER_PIECE", 2)
    monkeypatch.setattr(indexing, "SAMPLED", 1)
    write_index(tmp_path, ["b0"], tmp_path / "index", MEMORY)
    index = UrlIndex.open(tmp_path / "index")
    for host in range(60):
        name = f"h{host:02}.example"
        expected = [page for page in pages if page.startswith(f"http://{name}")]
        assert index.beginning(host_key(name), 10)["url"].to_list() == expected
        assert index.beginning(host_key(name), 1)["url"].to_list() == expected[:1]
    assert index.beginning(host_key("h60.example"), 10).is_empty()


def in_parts(folder: Path, bundles: list[list[str]], parts: int) -> bytes:
    """The index by way of bundles and parts."""
    sorted_urls = [folder / f"bundle-{number}" for number in range(len(bundles))]
    of_parts = [folder / f"part-{number}" for number in range(parts)]
    for bundle, path in zip(bundles, sorted_urls, strict=True):
        sort_records(folder, bundle, path, MEMORY)
    for part, path in enumerate(of_parts):
        write_part(sorted_urls, part, parts, path, MEMORY)
    join_parts(of_parts, folder / "joined")
    return (folder / "joined").read_bytes()


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(addresses, max_size=40), min_size=1, max_size=6),
    st.sampled_from([2, 3, 12]),
    st.integers(1, 3),
    st.tuples(st.sampled_from([1, 3]), st.sampled_from([5, 1000]), st.sampled_from([4, 1000])),
    st.randoms(use_true_random=False),
)
def test_parts_give_the_same_index(
    tmp_path_factory: pytest.TempPathFactory,
    contents: list[list[str]],
    parts: int,
    bundled: int,
    limited: tuple[int, int, int],
    chance: random.Random,
) -> None:
    """Byte for byte, for any batches, bundles and memory, and more parts than pieces; with thinned samples, no URLs."""
    batches = {f"b{number}": listed for number, listed in enumerate(contents)}
    folder = tmp_path_factory.mktemp("parts")
    write_tables(folder, batches)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(indexing, "ROWS_PER_PIECE", 8)
        patched.setattr(indexing, "ROWS_PER_RANGE", 3)
        sampled, most, at_once = limited
        patched.setattr(indexing, "SAMPLED", sampled)
        patched.setattr(indexing, "MOST_SAMPLED", most)
        write_index(folder, list(batches), folder / "whole", MEMORY)
        names = list(batches)
        chance.shuffle(names)
        patched.setattr(indexing, "MOST_ROWS", at_once)
        bundles = [names[first : first + bundled] for first in range(0, len(names), bundled)]
        assert in_parts(folder, bundles, parts) == (folder / "whole").read_bytes()


@pytest.mark.parametrize("sizes", [[[40]], [[20, 0], [40, 5]], [[1] * 6, [4]], [[4], [1] * 6]])
def test_samples_that_were_thinned_in_bundles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: list[list[int]]
) -> None:
    """Each says how far: of a bundle alone, of bundles of unlike sizes, and of one that has no keys left."""
    bundles = [[f"b{bundle}-{number}" for number in range(len(listed))] for bundle, listed in enumerate(sizes)]
    of_names = dict(zip(chain(*bundles), chain(*sizes), strict=True))
    batches = {name: [f"http://{name}.example/{n}" for n in range(size)] for name, size in of_names.items()}
    write_tables(tmp_path, batches)
    for name, value in (("ROWS_PER_PIECE", 2), ("SAMPLED", 1), ("MOST_SAMPLED", 5)):
        monkeypatch.setattr(indexing, name, value)
    write_index(tmp_path, list(batches), tmp_path / "whole", MEMORY)
    assert in_parts(tmp_path, bundles, 2) == (tmp_path / "whole").read_bytes()


def test_a_missing_or_damaged_part_is_an_error(urls: dict[str, list[str]], tmp_path: Path) -> None:
    """It says which command to run again; the index is not written."""
    write_tables(tmp_path, urls)
    with pytest.raises(StageFileError, match="bundle-0: no such file; run `corpusprep step urls sort` first"):
        write_part([tmp_path / "bundle-0"], 0, 2, tmp_path / "part-0", MEMORY)
    in_parts(tmp_path, [list(urls)], 2)
    (tmp_path / "joined").unlink()
    whole = (tmp_path / "bundle-0").read_bytes()
    (tmp_path / "bundle-0").write_bytes(whole[:-1])
    with pytest.raises(StageFileError, match=r"bundle-0: .*; remove it and run `corpusprep step urls sort` again"):
        write_part([tmp_path / "bundle-0"], 0, 2, tmp_path / "part-0", MEMORY)
    whole = (tmp_path / "part-1").read_bytes()
    (tmp_path / "part-1").write_bytes(whole[:10] + bytes([whole[10] ^ 1]) + whole[11:])
    paths = [tmp_path / f"part-{number}" for number in range(2)]
    with pytest.raises(
        StageFileError, match=r"part-1: damaged .*; remove it and run `corpusprep step urls part` again"
    ):
        join_parts(paths, tmp_path / "joined")
    paths[1].unlink()
    with pytest.raises(StageFileError, match="part-1: no such file; run `corpusprep step urls part` first"):
        join_parts(paths, tmp_path / "joined")
    assert not (tmp_path / "joined").exists()


def test_too_little_memory_for_parts_is_an_error(urls: dict[str, list[str]], tmp_path: Path) -> None:
    """It is an error before the work starts, in every step that sorts."""
    write_tables(tmp_path, urls)
    sort_records(tmp_path, list(urls), tmp_path / "bundle-0", MEMORY)
    for run in (
        lambda: sort_records(tmp_path, list(urls), tmp_path / "out", 1 << 20),
        lambda: write_part([tmp_path / "bundle-0"], 0, 2, tmp_path / "out", 1 << 20),
    ):
        with pytest.raises(ResourceError, match="indexing the records"):
            run()
    assert not (tmp_path / "out").exists()


def test_no_more_keys_are_sampled_of_larger_corpora(
    urls: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pieces become less even, and everything is found; long rows are distributed in smaller portions."""
    write_tables(tmp_path, urls)
    monkeypatch.setattr(indexing, "ROWS_PER_PIECE", 24)
    monkeypatch.setattr(indexing, "SAMPLED", 1)
    monkeypatch.setattr(indexing, "MOST_SAMPLED", 40)
    monkeypatch.setattr(indexing, "ROW_BYTES", 1)
    distributed: list[int] = []
    together = indexing._together

    def watched(*arguments: Any) -> Iterator[pl.DataFrame]:
        for rows in together(*arguments):
            distributed.append(rows.height)
            yield rows

    monkeypatch.setattr(indexing, "_together", watched)
    monkeypatch.setattr(indexing, "MOST_ROWS", 200)
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
    indexing._Tables("ids", tables[:10], [pl.col("id").alias("key")], ["id"]).sample()
    before = limits.held()
    with limits.peak() as most:
        starts = indexing._Tables("ids", tables, [pl.col("id").alias("key")], ["id"]).sample().starts()
    assert len(starts) == -(-16_000 // indexing.SAMPLED)  # the tables are one and the same
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
        with pytest.raises(StageFileError, match="run `corpusprep step index` again"):
            UrlIndex.open(path).around(key, 1)
    path.write_bytes(whole[:-1])
    with pytest.raises(StageFileError, match="not an index of URLs, or cut short"):
        UrlIndex.open(path)
    with pytest.raises(StageFileError, match="run `corpusprep step index` first"):
        UrlIndex.open(tmp_path / "none")


def test_keys_put_the_pages_of_a_host_together() -> None:
    """The labels of the host in reverse order; without scheme and port."""
    assert url_key("https://user@www.Example.org:8080/a?b#c") == "org,example,www)/a?b#c"
    assert url_key("dns:example.org") == ")example.org"
    assert host_key("example.org") == "org,example)"
