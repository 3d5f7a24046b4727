"""Crawling by yield, on hosts of this machine."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.host_farm import Farm, farm

from corpusprep.archive.inputs import records
from corpusprep.crawling import yields

AGENT = "corpusprep-tests (+https://example.org/crawl; me@example.org)"


def crawl(hosts: Farm, folder: Path, *options: str) -> list[str]:
    """The command line of a crawl from all hosts inside the limits."""
    seeds = folder.with_suffix(".txt")
    seeds.write_text("".join(f"{hosts.hosts[name].url}/\n" for name in hosts.inside), encoding="utf-8")
    allowed = [word for name in hosts.inside for word in ("--host", hosts.hosts[name].address)]
    start = [sys.executable, "-m", "corpusprep", "crawl", str(seeds), "--language", "en", "--user-agent", AGENT]
    fixed = ["--delay", "0", "--timeout", "5", "--max-bytes", "200kB", "--seconds", "60"]
    return [*start, "--output", str(folder), *allowed, *fixed, *options]


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """A crawl that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stderr
    return done


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
def test_a_crawl_that_was_killed_does_not_seem_complete(tmp_path: Path) -> None:
    """The next run says that the queue is lost, and what to remove; then it begins again."""
    with farm(good=1, farms=0, traps=0, foreign=0) as hosts:
        command = crawl(hosts, tmp_path / "out", "--documents", "60")
        started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while len(hosts.hosts["good0"].requests) < 20 and time.monotonic() < until:
            time.sleep(0.02)
        started.kill()
        started.wait(timeout=60)
        before = len(hosts.hosts["good0"].requests)
        refused = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert refused.returncode == 1
        assert f"its queue is lost: remove {tmp_path / 'out' / '.job'}, and the crawl begins again" in refused.stderr
        assert len(hosts.hosts["good0"].requests) == before
        shutil.rmtree(tmp_path / "out" / ".job")
        assert "documents, " in run(command).stdout
