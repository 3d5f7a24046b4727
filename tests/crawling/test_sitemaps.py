"""Sitemaps, and what a robots.txt asks for beside rules."""

import gzip
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from support.archives import PROSE
from support.crawls import TEXT, crawl_all, run, serving
from support.host_farm import HTML, Answer, page, prose

from corpusprep.crawling import sitemaps

XML = {"Content-Type": "application/xml"}


def sitemap(*addresses: str, kind: str = "urlset") -> bytes:
    """A sitemap."""
    entries = "".join(f"<url><loc>\n {address} </loc><lastmod>2024</lastmod></url>" for address in addresses)
    return (
        f'<?xml version="1.0"?><{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</{kind}>'.encode()
    )


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_sitemaps_and_indexes_are_read(pack: type[bytes]) -> None:
    """Also compressed ones."""
    is_index, found = sitemaps.entries(pack(sitemap("http://a.example/?a=1&amp;b", "/x")))
    assert (is_index, list(found)) == (False, ["http://a.example/?a=1&b", "/x"])
    assert sitemaps.entries(pack(sitemap(kind="sitemapindex")))[0]


BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + b"".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">'.encode() for n in range(9)
)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><p>Not found",
        b"\x1f\x8b\x08no gzip",
        b"\xff\xfe\x00",
        BOMB + b"]><urlset><url><loc>&j;</loc></url></urlset>",
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>',
        b"<urlset>" + b"<url>" * 100_000,
    ],
)
def test_hostile_sitemaps_have_no_addresses(body: bytes) -> None:
    """They end early."""
    assert "".join(sitemaps.entries(body)[1]) == ""


def test_what_is_packed_more_than_it_may_be_is_cut() -> None:
    """Bombs of gzip."""
    packed = gzip.compress(sitemap("/1") + bytes(10 * sitemaps.MOST_BYTES), 1)
    assert len(packed) < sitemaps.MOST_BYTES / 10
    assert list(sitemaps.entries(packed)[1]) == ["/1"]


@pytest.mark.slow
def test_pages_of_sitemaps_are_fetched_by_the_limits(tmp_path: Path) -> None:
    """Those of the host, by its robots.txt or in the usual place; patterns, sessions and counts hold for them."""
    asked: Counter[str] = Counter()

    def answer(path: str) -> Answer:
        asked[path] += 1
        inside = [f"/only/{number}" for number in range(3)] + [
            "/other",
            "http://[bad/",
            "http://127.0.1.2:1/",
            "/only/x",
        ]
        match path:
            case "/robots.txt":
                return 200, TEXT, b"User-agent: *\nDisallow: /only/x\nSitemap: /maps\nSitemap: http://127.0.1.9/maps\n"
            case "/maps":
                return 200, XML, sitemap("/map.gz", "/maps", "/none", kind="sitemapindex").replace(b"url>", b"sitemap>")
            case "/map.gz":
                return 200, {"Content-Type": "application/gzip"}, gzip.compress(sitemap(*inside))
            case "/old":
                return 302, {"Location": "/new"}, b""
            case "/gone":
                return 404, HTML, b"none"
        links = (
            ["/old", "/gone", "/only/0?PHPSESSID=12", "/only/1;jsessionid=34", "/only/secret"] if path == "/" else []
        )
        return page("small", [prose(PROSE, sum(map(ord, path)))], links)

    def foreign(path: str) -> Answer:
        asked[f"second {path}"] += 1
        return page("small", ["Nothing here."], [])

    with serving(answer, foreign) as hosts:
        base = hosts[0].url
        patterns = [f"{base}/", f"{base}/only/*", f"{base}/old", f"{base}/new", f"{base}/gone", f"{hosts[1].url}/"]
        limits = [word for pattern in patterns for word in ("--include", pattern)] + ["--exclude", "*/secret"]
        command = [*crawl_all(hosts, tmp_path / "out"), "--sitemaps", "--depth", "1", *limits]
        done = run([*command, "--host", "127.0.1.1", "--host", "127.0.1.2"])
        assert "6 documents, 2 other answers, " in done.stdout, asked
        wanted = "/robots.txt / /maps /map.gz /none /old /new /gone /only/0 /only/1 /only/2".split()
        assert asked == Counter([*wanted, "second /robots.txt", "second /"])


@pytest.mark.slow
def test_a_delay_of_robots_txt_is_kept(tmp_path: Path) -> None:
    """Between all requests after it, at most for LONGEST_DELAY; that of the command line holds for other hosts."""
    times: list[float] = []

    def answer(path: str) -> Answer:
        times.append(time.monotonic())
        if path == "/robots.txt":
            return 200, TEXT, b"\xef\xbb\xbfUser-agent: *\nCrawl-delay: 0.7\n"
        return page("small", [PROSE], [f"/{number}" for number in range(5)])

    with serving(answer) as hosts:
        run(crawl_all(hosts, tmp_path / "out"))
    assert len(times) == 7
    assert min(later - earlier for earlier, later in pairwise(times[1:])) > 0.6
