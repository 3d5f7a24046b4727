"""Crawling by yield, on hosts of this machine."""

import json
import os
import pickle
import shlex
import shutil
import signal
import struct
import subprocess
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from support.archives import PROSE
from support.crawls import TEXT, Served, crawl, crawl_all, run, serving
from support.host_farm import HTML, Answer, Host, farm, page, prose

from corpusprep.archive.inputs import records
from corpusprep.crawling import yields


def clean_bytes(folder: Path) -> tuple[int, int]:
    """The clean bytes and the bytes fetched of a crawl."""
    last = yields.final_rows(yields.read(folder / "yield.tsv"))
    return sum(int(row["clean_bytes"]) for row in last), sum(int(row["bytes"]) for row in last)


@pytest.mark.slow
def test_a_crawl_by_yield_brings_twice_the_text_and_keeps_its_limits(tmp_path: Path) -> None:
    """At equal bytes, compared with a breadth-first crawl by the same engine; and nothing outside is asked for."""
    found = {}
    for name, options in (("yield", []), ("all", ["--visit-all"])):
        with farm() as hosts:
            done = run(crawl(hosts, tmp_path / name, "--bytes", "1200k", "--seconds", "300", *options))
            found[name] = clean_bytes(tmp_path / name)
            asked = {kind: [path for host in hosts.of(kind) for path in host.requests] for kind in ("good", "outside")}
        assert asked["outside"] == []
        assert not [path for path in asked["good"] if path.startswith("/private")]
        assert {"/robots.txt", "/away", "/paper", "/large"} <= set(asked["good"])
        assert "MB clean" in done.stdout
    (clean, fetched), (all_clean, all_fetched) = found["yield"], found["all"]
    assert fetched == pytest.approx(all_fetched, rel=0.1)
    assert clean >= 2 * all_clean

    pages, types = {}, set()
    for path in sorted((tmp_path / "yield").glob("*.warc.gz")):
        for record in records(path):
            types.add(record.record_type)
            assert record.verdict in (None, "record_type"), record
            if record.record_type == "response":
                pages[record.url] = record
    assert types == {"warcinfo", "request", "response"}
    assert not [url for url in pages if url.endswith(("/paper", "/large"))]  # their headers were enough
    states = {row["host"]: row["state"] for row in yields.final_rows(yields.read(tmp_path / "yield" / "yield.tsv"))}
    assert sorted(states.values()).count("yield") >= 8


@pytest.mark.slow
def test_a_crawl_that_is_stopped_goes_on(tmp_path: Path) -> None:
    """Nothing is fetched twice; the archives of both runs are complete."""
    with farm(good=3, farms=1, traps=0, foreign=0) as hosts:
        command = crawl(hosts, tmp_path / "out")
        started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 60
        while sum(len(host.requests) for host in hosts.of("good")) < 60 and time.monotonic() < until:
            time.sleep(0.02)
        started.send_signal(signal.SIGTERM)
        _, errors = started.communicate(timeout=60)
        assert not (tmp_path / "out" / ".job" / "running").exists()
        assert started.returncode == 0, errors
        state = json.loads((tmp_path / "out" / ".job" / "yields.json").read_text(encoding="utf-8"))
        before = sum(host["documents"] for host in state["hosts"].values())
        run(crawl(hosts, tmp_path / "out", "--documents", str(before + 60)))
        asked = [path for path in hosts.hosts["good0"].requests if path.strip("/").isdigit()]
    assert len(asked) == len(set(asked))
    files = sorted((tmp_path / "out").glob("crawl-*"))
    assert [path.name for path in files] == ["crawl-00000.warc.gz", "crawl-00001.warc.gz"]
    urls = [record.url for path in files for record in records(path) if record.record_type == "response"]
    assert len([url for url in urls if "robots" not in url]) >= before + 50


@pytest.mark.slow
def test_a_limit_loses_no_page(tmp_path: Path) -> None:
    """A later run with a higher limit fetches all others, each once; one with the same limit fetches nothing."""

    def answer(path: str) -> Answer:
        if path == "/robots.txt":
            return 404, TEXT, b"none"
        number = int(path.strip("/") or 0)
        links = [f"/{2 * number + 1}", f"/{2 * number + 2}"] if number < 31 else []
        return page(f"page {number}", [f"{number} {PROSE}"], links)

    with serving(answer, answer) as hosts:
        for documents in (10, 10, 45, 1000):
            run(crawl_all(hosts, tmp_path / "out", "--visit-all", "--documents", str(documents)))
            asked = [path for host in hosts for path in host.requests if path != "/robots.txt"]
            assert len(asked) <= documents + 16
    assert sorted(asked) == sorted(2 * ["/", *(f"/{number}" for number in range(1, 63))])


def small_host(robots: Answer) -> Served:
    """A host with a robots.txt and three pages."""
    return lambda path: robots if path == "/robots.txt" else page("small", [PROSE], ["/1", "/2"])


NOTHING_ALLOWED = b"User-agent: *\nDisallow: /\n"


@pytest.mark.slow
def test_a_robots_txt_holds_wherever_it_is_and_where_it_is_missing(tmp_path: Path) -> None:
    """After redirects; one that cannot be had, is outside the limits or is too large forbids all, a 404 nothing."""

    def elsewhere(path: str) -> Answer:
        return (200, TEXT, NOTHING_ALLOWED) if path == "/rules" else (301, {"Location": "/rules"}, b"")

    outside = Host("127.0.1.99", lambda path: (200, TEXT, NOTHING_ALLOWED))
    outside.start()
    answers = [
        lambda path: elsewhere(path) if path in ("/robots.txt", "/rules") else page("small", [PROSE], ["/1"]),
        small_host((301, {"Location": f"{outside.url}/robots.txt"}, b"")),
        small_host((503, TEXT, b"busy")),
        small_host((429, TEXT, b"busy")),
        small_host(None),
        small_host((200, TEXT, NOTHING_ALLOWED + b"#" * 300_000)),
        small_host((404, TEXT, b"none")),
    ]
    allowed = [word for number in range(1, len(answers) + 1) for word in ("--host", f"127.0.1.{number}")]
    with serving(*answers) as hosts:
        run(crawl_all(hosts, tmp_path / "out", "--max-bytes", "200kB", *allowed))
        asked = [set(host.requests) - {"/robots.txt"} for host in hosts]
    outside.stop()
    assert asked == [{"/rules"}, set(), set(), set(), set(), set(), {"/", "/1", "/2"}]
    assert outside.requests == []
    written = [record for path in (tmp_path / "out").glob("*.warc.gz") for record in records(path)]
    assert [record.url for record in written if record.record_type == "response" and record.url.endswith("/rules")]


@pytest.mark.slow
def test_seeds_that_failed_are_asked_for_again(tmp_path: Path) -> None:
    """A crawl without any document is an error; the same command then fetches each page once."""
    down = True

    def answer(path: str) -> Answer:
        if path == "/robots.txt":
            return 404, TEXT, b"none"
        return (503, TEXT, b"busy") if down else page("small", [PROSE], ["/", "/1"])

    with serving(answer, lambda path: None, small_host((200, TEXT, NOTHING_ALLOWED))) as hosts:
        command = crawl_all(hosts, tmp_path / "out")
        failed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert failed.returncode == 1
        assert "no document was fetched: 2 of 3 seeds failed, 1 were refused by robots.txt" in failed.stderr
        assert hosts[0].requests == ["/robots.txt", "/", "/"]
        down = False
        assert "2 documents" in run(command).stdout
        run(command)
        asked = [path for path in hosts[0].requests[3:] if path != "/robots.txt"]
    assert asked == ["/", "/1"]


@pytest.mark.slow
def test_the_delay_is_kept_between_all_requests_to_a_host(tmp_path: Path) -> None:
    """It is the least, not the mean."""
    times = []

    def answer(path: str) -> Answer:
        times.append(time.monotonic())
        return page("small", [PROSE], [f"/{number}" for number in range(10)])

    with serving(answer) as hosts:
        run([*crawl_all(hosts, tmp_path / "out"), "--delay", "0.3"])
    assert len(times) == 12
    assert min(later - earlier for earlier, later in pairwise(times)) > 0.25


@pytest.mark.slow
def test_links_of_pages_that_forbid_it_are_not_followed(tmp_path: Path) -> None:
    """`none` is `noindex, nofollow`, in the page as in the header; that of previews is not."""
    heads = {
        "/1": ("<meta name=ROBOTS content=None>", ""),
        "/2": ("<meta name=robots content='noindex nofollow'>", ""),
        "/3": ("", "bot: none"),
        "/4": ("<meta name=robots content=index><meta name=robots content='max-image-preview:none'>", "noindex"),
    }

    def answer(path: str) -> Answer:
        head, header = heads.get(path, ("", ""))
        body = f"<head>{head}</head><p>{PROSE}</p>"
        body += "".join(f'<a href="{link}">x</a>' for link in (heads if path == "/" else [f"/from{path}"]))
        return (404, TEXT, b"none") if path == "/robots.txt" else (200, {**HTML, "X-Robots-Tag": header}, body.encode())

    with serving(answer) as hosts:
        run([*crawl_all(hosts, tmp_path / "out"), "--depth", "2"])
        assert sorted(hosts[0].requests) == ["/", "/1", "/2", "/3", "/4", "/from/4", "/robots.txt"]


@pytest.mark.slow
def test_a_host_gets_the_pause_that_it_asks_for(tmp_path: Path) -> None:
    """Nothing but open requests is sent meanwhile, also to a host that fails in plain text; no page is lost."""
    asked: dict[str, list[float]] = {}

    def limited(kind: dict[str, str]) -> Served:
        times = asked.setdefault(str(kind), [])

        def answer(path: str) -> Answer:
            if path == "/robots.txt":
                return 404, TEXT, b"none"
            times.append(time.monotonic())
            if len(times) < 6 or times[-1] > times[5] + 1.9:
                return page("small", [PROSE], [f"/{number}" for number in range(20)])
            return 429, {**kind, "Retry-After": "2"}, b"slow down"

        return answer

    with serving(limited(HTML), limited(TEXT)) as hosts:
        printed = run([*crawl_all(hosts, tmp_path / "out"), "--visit-all"]).stdout
        pages = [{path for path in host.requests if path != "/robots.txt"} for host in hosts]
    assert pages == [{"/", *(f"/{number}" for number in range(20))}] * 2
    assert "42 documents" in printed
    for times in asked.values():
        assert len([moment for moment in times if times[5] < moment < times[5] + 1.9]) <= 3
        assert len(times) <= 21 + 4


class Harmful:
    """An object that makes a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Callable[..., None], tuple[str]]:
        return os.mkdir, (str(self.folder),)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["spider.state", "queue"])
def test_the_state_of_someone_elses_crawl_runs_no_code(place: str, tmp_path: Path) -> None:
    """A pickle is refused in one line; without the state, the archives are read again."""
    sent: list[str] = []

    def answer(path: str) -> Answer:
        sent.append(path)
        return page("small", [PROSE], [f"/{number}" for number in range(9)])

    with serving(answer) as hosts:
        command = [*crawl_all(hosts, tmp_path / "out"), "--visit-all", "--documents"]
        run([*command, "2"])
        job = tmp_path / "out" / ".job"
        assert not (job / "spider.state").exists()
        harmful = pickle.dumps(Harmful(tmp_path / "harm"))
        if place == "queue":
            queues = list(job.glob("requests.queue/*/*/q00000"))
            assert queues
            for queue in queues:
                size = json.loads((queue.parent / "info.json").read_text(encoding="utf-8"))["size"]
                queue.write_bytes((struct.pack(">L", len(harmful)) + harmful) * (size + 9))
                info = {"chunksize": 100000, "size": size, "tail": [0, 0, 0], "head": [0, size]}
                (queue.parent / "info.json").write_text(json.dumps(info), encoding="utf-8")
        else:
            (job / place).write_bytes(harmful)
        refused = subprocess.run([*command, "20"], capture_output=True, text=True, check=False, timeout=60)
        assert not (tmp_path / "harm").exists()
        assert refused.returncode == 1
        assert f"remove {job}, and the same command reads the archives again\n" in refused.stderr
        assert refused.stderr.count("\n") == 1, refused.stderr
        shutil.rmtree(job)
        assert "are read again" in run([*command, "20"]).stderr
    assert sorted(path for path in sent if path != "/robots.txt") == ["/", *(f"/{number}" for number in range(9))]


@pytest.mark.slow
@pytest.mark.parametrize("full", ["archives", "queue"])
def test_a_full_disk_ends_a_crawl(full: str, tmp_path: Path) -> None:
    """With its error, not as a fault of the network; the next run goes on."""
    pages = [f"/{number}" for number in range(60)]
    with serving(lambda path: page("small", [prose(PROSE, len(path), 2000)], pages)) as hosts:
        command = [*crawl_all(hosts, tmp_path / "out"), "--visit-all"]
        limit = "ulimit -f 24; exec" if full == "archives" else "ulimit -f 3; exec"
        ended = subprocess.run(
            ["bash", "-c", f"{limit} {shlex.join(command)}"], capture_output=True, text=True, check=False, timeout=60
        )
        assert ended.returncode == 1
        assert "corpusprep: error: " in ended.stderr
        assert ended.stderr.rstrip().endswith("File too large")
        run(command)
        asked = [path for path in hosts[0].requests if path != "/robots.txt"]
    assert len(set(asked)) == 61
    assert len(asked) <= 61 + 3
