"""The robots.txt records of archives."""

import gzip
import time
from pathlib import Path

import polars as pl
import pytest

from corpusprep.archive.batches import make_batches
from corpusprep.archive.patterns import expand
from corpusprep.archive.robots_txt import MOST_LINES, Robots, gather, rules_of
from corpusprep.cleaners.justext import JusText
from corpusprep.config.settings import default_page_rules, load_schema, resolve
from corpusprep.encoding.pages import read_archives
from corpusprep.errors import ConfigError
from corpusprep.extraction.page_languages import OneLanguage
from corpusprep.extraction.page_stage import PageOptions, classify_batch
from corpusprep.languages import get
from corpusprep.tables import schemas
from corpusprep.tables.reading import read_table
from corpusprep.tables.writing import TableWriter, write_table

RULES = "User-agent: *\nDisallow: /private/\nAllow: /private/open*.html$\n\nUser-agent: CCBot\nDisallow: /\n"


def record(url: str, body: str, *, year: int = 2024, status: int = 200, kind: str = "text/plain") -> bytes:
    """A response in a gzip member of its own."""
    http = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\n\r\n{body}".encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {year}-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", mtime=0)


def page(url: str, year: int = 2024) -> bytes:
    """A response with HTML."""
    return record(url, f"<p>A page at {url}</p>", year=year, kind="text/html")


#: A crawl with the rules of a host behind its pages, one that changed, and answers that are no rules.
CRAWL = [
    page("https://a.example/"),
    page("https://a.example/private/1.html"),
    page("http://a.example:8080/private/open-2.html"),
    record("http://a.example/robots.txt", RULES),
    record("http://b.example/robots.txt", "User-agent: *\nDisallow: /", year=2020),
    page("http://b.example/early", 2019),
    page("http://b.example/middle", 2021),
    record("http://b.example/robots.txt", "", year=2022),
    page("http://b.example/late", 2023),
    record("http://c.example/robots.txt", "User-agent: *\nDisallow: /", status=503),
    page("http://c.example/1"),
    record("http://d.example/robots.txt", "User-agent: *\nDisallow: /", status=404),
    page("http://d.example/1"),
    record("http://e.example/some/robots.txt", "User-agent: *\nDisallow: /"),
    page("http://e.example/1"),
]
MARKS = {
    "https://a.example/": "allow",
    "https://a.example/private/1.html": "disallow",
    "http://a.example:8080/private/open-2.html": "allow",
    "http://b.example/early": "disallow",
    "http://b.example/middle": "disallow",
    "http://b.example/late": "allow",
    "http://c.example/1": "",
    "http://d.example/1": "allow",
    "http://e.example/1": "",
}


def judged(folder: Path, batch_bytes: int, agent: str, refuse: tuple[str, ...] = ()) -> pl.DataFrame:
    """The table of pages of all batches, with their addresses."""
    batches = make_batches(expand([str(folder / "*.warc.gz")]), batch_bytes, folder / "batches.tsv")
    encodings = [folder / f"{batch.name}-encoding" for batch in batches]
    for batch, path in zip(batches, encodings, strict=True):
        rows = read_archives(batch.name, batch.archives, get("en"), default_page_rules(), "detected")
        write_table(rows, schemas.ENCODING, path)
        gather(path, folder / f"{batch.name}-robots")
    tables = [folder / f"{batch.name}-robots" for batch in batches]
    found = []
    for path in encodings:
        with TableWriter(folder / "blocks", schemas.BOILERPLATE) as blocks:
            options = PageOptions(JusText(), refuse=refuse, robots=(tables, agent) if agent else None)
            pages = classify_batch(path, OneLanguage(get("en")), options, blocks)
        found.append(pages.join(read_table(path, schemas.ENCODING).select("record", "url"), on="record"))
    return pl.concat(found)


@pytest.mark.parametrize("batch_bytes", [1, 10**9])
def test_pages_have_the_marks_of_their_hosts(tmp_path: Path, batch_bytes: int) -> None:
    """Wherever the robots.txt is; the one that was in force when the page was fetched."""
    for number, content in enumerate(CRAWL):
        (tmp_path / f"{number * 4 % 15:02}.warc.gz").write_bytes(content)
    pages = judged(tmp_path, batch_bytes, "*")
    found = {url: rights.removesuffix("@robots.txt") for url, rights in pages.select("url", "rights").iter_rows()}
    assert found == MARKS


@pytest.mark.parametrize(
    ("agent", "refused"), [("", 0), ("*", 1), ("CCBot", 3), ("Mozilla/5.0 (compatible; CCBot/2.0)", 3), ("Other", 1)]
)
def test_marks_are_refused_for_a_user_agent(tmp_path: Path, agent: str, refused: int) -> None:
    """By the rules of its own, or those for all."""
    (tmp_path / "a.warc.gz").write_bytes(b"".join(CRAWL[:4]))
    pages = judged(tmp_path, 10**9, agent, ("disallow",))
    assert (pages["verdict"] == "rights").sum() == refused
    assert (pages["rights"] == "").all() == (not agent)


def test_hostile_rules_take_little_time() -> None:
    """Very many agents with very many rules, many wildcards, and long files."""
    start = time.process_time()
    many = "".join(f"User-agent: a{number}\n" for number in range(9000))
    assert rules_of(many + "Disallow: /x\n" * 9000) is None
    rules = rules_of("User-agent: *\n" + "Disallow: /*a*a*a*a*a*b\n" * 500)
    assert rules is not None
    assert rules.can_fetch("http://a.example/" + "a" * 2000, "*")
    long = rules_of("User-agent: *\n" + "Disallow: /x\n" * (MOST_LINES - 1) + "Disallow: /\n")
    assert long is not None
    assert long.can_fetch("http://a.example/", "*")  # the last line is not read
    for text in ("\0", "User-agent", ":", "Disallow: /\nUser-agent: *", "User-agent: *\nDisallow: %", "\ufffd" * 1000):
        assert rules_of(text) is not None
    assert time.process_time() - start < 2


def test_strange_addresses_have_no_mark(tmp_path: Path) -> None:
    """A page can at worst earn a verdict."""
    rows = [("b", 0, "a.example", "http://a.example/robots.txt", None, "User-agent: *\nDisallow: /")]
    write_table(pl.DataFrame(rows, schemas.ROBOTS, orient="row"), schemas.ROBOTS, tmp_path / "robots")
    robots = Robots(["a.example"], [tmp_path / "robots"], "*")
    assert robots.mark("http://a.example/", "") == "disallow@robots.txt"
    for url in ("", "x", "http://[", "http://a.example:x/", "http://a.example/\ud800", "http://a.example/%%%\0"):
        assert robots.mark(url, "2024") in ("", "allow@robots.txt", "disallow@robots.txt")


def test_a_refusal_needs_an_agent() -> None:
    """One line says which setting is missing."""
    config = {"corpora": {"mine": {"language": "en", "archives": ["x"], "rights": {"refuse": ["disallow"]}}}}
    with pytest.raises(ConfigError, match=r"corpora\.mine\.rights\.refuse: disallow needs rights\.robots_agent"):
        resolve(config, load_schema())
    config["rights"] = {"robots_agent": "*"}
    assert resolve(config, load_schema())
