"""Crawls that were killed: the next run answers from the archives."""

import datetime
import errno
import fcntl
import gzip
import os
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.archives import PROSE
from support.crawls import TEXT, crawl_all, run, serving
from support.host_farm import Answer, Host, packed, page, prose

from corpusprep.archive.inputs import records
from corpusprep.crawling import yields
from corpusprep.crawling.job_folder import JobFolder
from corpusprep.crawling.replay import REPLAYED, ArchivedResponses
from corpusprep.crawling.warc_output import WarcFiles, as_date, now
from corpusprep.errors import ConfigError

TYPE = ("Content-Type", "text/html")


def write(folder: Path, *exchanges: tuple[str, int, bytes], date: str = "") -> Path:
    """The archive of a run with responses of these addresses, statuses and bodies."""
    with WarcFiles(folder, "crawl", {}) as files:
        for url, status, body in exchanges:
            request = ("GET / HTTP/1.1", [("Host", "a.example")])
            files.exchange(url, date or now(), f"{status} Phrase", [TYPE], body, request)
    return files.paths()[-1]


def body_of(archived: ArchivedResponses, url: str) -> bytes | None:
    """The body of an archived response."""
    found = archived.response(url)
    return found.body if found is not None else None


def test_the_last_good_response_of_an_address_counts(tmp_path: Path) -> None:
    """Over all archives; failures do not."""
    first = write(tmp_path, ("http://a.example/", 200, b"one"), ("http://a.example/b", 503, b"busy"))
    last = write(
        tmp_path,
        ("http://a.example/", 404, b"two"),
        ("http://a.example/", 500, b"three"),
        ("http://a.example/c", 429, b"slow down"),
        ("http://a.example/robots.txt", 200, b"User-agent: *"),
    )
    archived = ArchivedResponses([first, last])
    assert archived.pages == 1
    found = archived.response("http://a.example/")
    assert found is not None
    assert (found.url, found.status, found.body, found.flags) == ("http://a.example/", 404, b"two", [REPLAYED])
    assert found.headers["Content-Type"] == b"text/html"
    assert [body_of(archived, f"http://a.example/{name}") for name in "bcd"] == [None] * 3


def test_responses_are_as_they_were_transferred(tmp_path: Path) -> None:
    """With their compression, and with all headers byte by byte; also those without a readable body."""
    body = gzip.compress(b"<p>text")
    location = "/caf\xc3\xa9"
    headers = [("Location", location), ("X-Robots-Tag", "none"), ("X-Robots-Tag", "bot: all")]
    with WarcFiles(tmp_path, "crawl", {}) as files:
        files.exchange("http://a.example/", now(), "302 Found", [*headers, ("Content-Encoding", "gzip")], body)
        files.exchange("http://a.example/bad", now(), "200 OK", [("Content-Encoding", "gzip")], b"\x1f\x8bnot")
    archived = ArchivedResponses(files.paths())
    found = archived.response("http://a.example/")
    assert found is not None
    assert found.body == body
    assert found.headers["Location"] == location.encode("latin-1")
    assert found.headers.getlist("X-Robots-Tag") == [b"none", b"bot: all"]
    assert body_of(archived, "http://a.example/bad") == b"\x1f\x8bnot"


def test_addresses_are_those_of_duplicates(tmp_path: Path) -> None:
    """Fragments and the order of parameters do not matter; the response has the address that was asked for."""
    archived = ArchivedResponses([write(tmp_path, ("http://a.example/?x=1&y=2", 200, b"one"))])
    found = archived.response("http://a.example/?y=2&x=1#part")
    assert found is not None
    assert (found.url, found.body) == ("http://a.example/?y=2&x=1", b"one")
    assert body_of(archived, "http://[a.example/") is None


def test_a_response_can_be_too_old(tmp_path: Path) -> None:
    """As a robots.txt after a day."""
    archived = ArchivedResponses([write(tmp_path, ("http://a.example/", 200, b"x"), date="2024-05-01T00:00:00Z")])
    assert archived.response("http://a.example/", since="2024-05-01T00:00:01Z") is None
    assert archived.response("http://a.example/", since="2024-05-01T00:00:00Z") is not None


def test_records_that_are_not_whole_are_left_out(tmp_path: Path) -> None:
    """Cut at any place, or damaged in the middle: the other records are there, also in the next archive."""
    pages = [(f"http://a.example/{number}", 200, bytes(range(256)) * 8) for number in range(3)]
    stored = write(tmp_path / "whole", *pages).read_bytes()
    responses = [r.offset for r in records(tmp_path / "whole" / "crawl-00000.warc.gz") if r.record_type == "response"]
    following = write(tmp_path / "next", ("http://a.example/9", 200, b"x"))
    damaged = bytearray(stored)
    damaged[responses[1] + 60 : responses[1] + 90] = bytes(30)
    first, cut = [0, 1], tmp_path / "cut.warc.gz"
    for content, readable in (
        (bytes(damaged), [0, 2]),
        (stored[: responses[2] + 5], first),
        (stored[: responses[2] + 200], first),
        (stored[: responses[2] - 2], first),  # in the request for page 1
        (stored[:-3], [*first, 2]),  # in the request for page 2
    ):
        cut.write_bytes(content)
        archived = ArchivedResponses([cut, following])
        found = [number for number in (0, 1, 2, 9) if archived.response(f"http://a.example/{number}") is not None]
        assert found == [*readable, 9]


def test_archives_that_cannot_be_read_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And those that are no archives are empty."""
    (tmp_path / "text").write_bytes(b"no archive\n" * 100)
    archived = ArchivedResponses([tmp_path / "none", tmp_path / "text"])
    assert archived.pages == 0
    assert f"cannot read archive {tmp_path / 'none'}: " in capsys.readouterr().err


def test_an_archive_that_changes_is_not_believed(tmp_path: Path) -> None:
    """A record that is another one, or none, is no response."""
    path = write(tmp_path, ("http://a.example/1", 200, b"one"), ("http://a.example/2", 200, b"two"))
    archived = ArchivedResponses([path])
    path.write_bytes(write(tmp_path / "other", ("http://b.example/1", 200, b"one")).read_bytes())
    assert [body_of(archived, f"http://a.example/{number}") for number in (1, 2)] == [None, None]
    path.unlink()
    assert body_of(archived, "http://a.example/1") is None


def test_the_replay_is_over_when_no_page_can_be_asked_for(tmp_path: Path) -> None:
    """Each has been, or its host is left; a robots.txt is asked for in each run."""
    addresses = ["http://a.example/1", "http://a.example/robots.txt", "http://b.example/1"]
    archived = ArchivedResponses([write(tmp_path, *((url, 200, b"x") for url in addresses))])
    assert not archived.is_over(lambda url: "b.example" in url)
    archived.response("http://a.example/1")
    assert archived.is_over(lambda url: "b.example" in url)
    assert not archived.is_over(lambda url: False)
    archived.response("http://b.example/1")
    assert archived.is_over(lambda url: False)
    assert body_of(archived, "http://b.example/1") == b"x"


def test_a_folder_of_a_killed_crawl_is_emptied(tmp_path: Path) -> None:
    """Until its crawl ends in order; a run that ends before the archives are read again leaves that to the next."""
    folder = tmp_path / ".job"
    (folder / "requests.queue" / "a.example").mkdir(parents=True)
    for name in ("requests.seen", "yields.json", "running"):
        (folder / name).write_text("{", encoding="utf-8")
    job = JobFolder(folder)
    assert job.replays
    assert job.read() is None
    assert {path.name for path in folder.iterdir()} == {"lock", "running", "replay"}
    job.end(replayed=False)
    assert {path.name for path in folder.iterdir()} == {"lock", "replay"}
    job.end(replayed=True)
    assert {path.name for path in folder.iterdir()} == {"lock"}
    with pytest.raises(ConfigError, match=rf"process {os.getpid()} on \S+ crawls there; wait for its end"):
        JobFolder(folder)


def test_without_locks_a_crawl_may_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not if its process has ended on this machine; otherwise the message says what to remove."""

    def no_locks(*arguments: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    ended = subprocess.Popen(["true"])
    ended.wait()
    folder = tmp_path / ".job"
    assert not JobFolder(folder).replays
    machine = (folder / "lock").read_text(encoding="utf-8").split()[1]
    (folder / "running").touch()
    (folder / "lock").write_text(f"{ended.pid} {machine}\n", encoding="utf-8")
    assert JobFolder(folder).replays
    for owner in (f"{os.getpid()} {machine}", f"{ended.pid} elsewhere"):
        (folder / "lock").write_text(owner, encoding="utf-8")
        with pytest.raises(ConfigError, match=f"no locks; if it does not run any more, remove {folder / 'lock'}"):
            JobFolder(folder)
    (folder / "lock").unlink()
    assert JobFolder(folder).replays


class Site:
    """A host with a robots.txt, pages, and a redirect; it can do something before it answers a path.

    Attributes:
        before: what is done before a path is answered, once.
        busy: paths that are answered with 503.
    """

    def __init__(self) -> None:
        self.before: dict[str, Callable[[], object]] = {}
        self.busy: set[str] = set()
        self.paths = [f"/{number}" for number in range(1, 41)]

    def answer(self, path: str) -> Answer:
        """The answer."""
        self.before.pop(path, lambda: None)()
        if path == "/robots.txt":
            return 200, TEXT, b"User-agent: *\nDisallow: /private\n"
        if path in self.busy:
            return 503, TEXT, b"busy"
        if path == "/3":
            return 301, {"Location": "/caf\xc3\xa9"}, b""
        links = [*self.paths, "/private", "/?a=1&b=2", "/?b=2&a=1"] if path == "/" else ["/", "/1#end"]
        return packed(page("site", [prose(PROSE, sum(map(ord, path)))], links))


def archived_paths(folder: Path, host: Host) -> Counter[str]:
    """How many readable good responses the archives have for each path."""
    return Counter(
        record.url.removeprefix(host.url)
        for path in folder.glob("crawl-*.warc.gz*")
        for record in records(path)
        if record.record_type == "response" and record.verdict is None and record.status < 500
    )


def ended_by(site: Site, path: str, command: list[str], number: signal.Signals) -> int:
    """Runs a crawl, and sends it a signal before a path is answered; returns its exit code."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        site.before[path] = lambda: started.send_signal(number)
        return started.wait(timeout=180)


def last_rows(folder: Path) -> list[tuple[str, ...]]:
    """What a crawl has counted for each host."""
    columns = ("host", "documents", "bytes", "clean_bytes", "state")
    return [tuple(row[name] for name in columns) for row in yields.final_rows(yields.read(folder / "yield.tsv"))]


@pytest.mark.slow
def test_a_crawl_that_was_killed_goes_on(tmp_path: Path) -> None:
    """No page is fetched or written twice; the yields are those of a crawl that was not killed."""
    site, out = Site(), tmp_path / "out"
    site.busy.add("/7")
    with serving(site.answer) as (host,):
        command = [*crawl_all([host], out), "--visit-all"]
        assert ended_by(site, "/20", command, signal.SIGKILL) == -signal.SIGKILL
        assert [path.name for path in out.glob("crawl-*")] == ["crawl-00000.warc.gz.open"]
        with (out / "crawl-00000.warc.gz.open").open("ab") as file:
            file.write(gzip.compress(b"WARC/1.1\r\nWARC-Type: response\r\n")[:-9])
        before, asked = archived_paths(out, host), Counter(host.requests)
        assert {"/robots.txt", "/", "/1", "/3", "/caf%C3%A9"} <= set(before)
        assert len(before) > 15
        site.busy.clear()
        done = run(command)
        pages = len(before) - 1
        assert f"crawl: a run was killed: {pages} pages of 1 archives are read again\n" in done.stderr
        assert {path: host.requests.count(path) for path in before} == {path: asked[path] for path in before}
        assert "/private" not in host.requests
        assert host.requests.count("/7") == asked["/7"] + 1
        after = archived_paths(out, host)
        assert set(after.values()) == {1}
        assert [path.name for path in sorted(out.glob("crawl-*"))] == ["crawl-00000.warc.gz", "crawl-00001.warc.gz"]
        assert {path.name for path in (out / ".job").iterdir()}.isdisjoint({"running", "replay"})
        number = len(host.requests)
        assert "read again" not in run(command).stderr
        assert len(host.requests) == number
        run([*crawl_all([host], tmp_path / "whole"), "--visit-all"])
        assert archived_paths(tmp_path / "whole", host) == after
    assert last_rows(out) == last_rows(tmp_path / "whole")


@pytest.mark.slow
def test_limits_hold_for_all_runs(tmp_path: Path) -> None:
    """A page that is read again counts; a higher limit goes on without fetching pages twice."""
    site, out = Site(), tmp_path / "out"
    with serving(site.answer) as (host,):
        command = [*crawl_all([host], out), "--visit-all", "--documents"]
        assert ended_by(site, "/20", [*command, "30"], signal.SIGKILL) == -signal.SIGKILL
        before = archived_paths(out, host)
        shutil.copytree(out, tmp_path / "other")
        run([*command, "10"])
        assert archived_paths(out, host) == before
        assert (out / ".job" / "replay").exists()
        run([*command, "30"])
        assert set(archived_paths(out, host).values()) == {1}
        command[command.index(str(out))] = str(tmp_path / "other")
        run([*command, "30"])
        counts = archived_paths(tmp_path / "other", host)
    # Two requests to the host are open at the end, and for each a response may wait to be counted.
    assert 30 <= sum(counts[path] for path in counts if path != "/robots.txt") <= 34
    assert set(counts.values()) == {1}


@pytest.mark.slow
def test_a_replay_that_is_killed_or_stopped_goes_on(tmp_path: Path) -> None:
    """Each page is in the archives once, and is asked for once after the first run has written it."""
    site, out = Site(), tmp_path / "out"
    site.busy.update(("/1", "/2"))
    with serving(site.answer) as (host,):
        command = [*crawl_all([host], out), "--visit-all"]
        assert ended_by(site, "/20", command, signal.SIGKILL) == -signal.SIGKILL
        before, asked = archived_paths(out, host), Counter(host.requests)
        assert ended_by(site, "/1", command, signal.SIGKILL) == -signal.SIGKILL
        assert archived_paths(out, host) == before
        # Both connections to the host wait, so no page is replayed meanwhile.
        site.busy.clear()
        both = threading.Barrier(2, timeout=30)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:

            def stop() -> None:
                if both.wait() == 0:
                    started.send_signal(signal.SIGTERM)
                time.sleep(1)

            site.before = {"/1": stop, "/2": stop}
            assert started.wait(timeout=180) == 0
        assert (out / ".job" / "replay").exists()
        stopped = archived_paths(out, host)
        assert {"/1", "/2"} <= set(stopped)
        assert "are read again" in run(command).stderr
        assert {path: host.requests.count(path) for path in before} == {path: asked[path] for path in before}
        after = archived_paths(out, host)
        run([*crawl_all([host], tmp_path / "whole"), "--visit-all"])
        assert archived_paths(tmp_path / "whole", host) == after
    assert set(after.values()) == {1}
    assert not (out / ".job" / "replay").exists()
    assert last_rows(out) == last_rows(tmp_path / "whole")


@pytest.mark.slow
def test_a_robots_txt_is_asked_for_again_after_a_day(tmp_path: Path) -> None:
    """It holds for pages of the archives, too."""
    site, out = Site(), tmp_path / "out"
    with serving(site.answer) as (host,):
        old = as_date(datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=2))
        forbids = b"User-agent: *\nDisallow: /\n"
        links = b"".join(f"<a href={path}>x</a>".encode() for path in ("/1", "/private"))
        pages = [("/robots.txt", forbids), ("/", links), ("/private", b"x"), ("/1", b"y")]
        write(out, *((f"{host.url}{path}", 200, body) for path, body in pages), date=old)
        (out / ".job").mkdir()
        (out / ".job" / "running").touch()
        assert "2 documents" in run(crawl_all([host], out)).stdout
        assert host.requests == ["/robots.txt"]
    assert urlsplit(host.url).hostname in (out / "yield.tsv").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_crawl_that_runs_is_left_alone(tmp_path: Path) -> None:
    """A second one ends with one line, and changes nothing."""
    site, out = Site(), tmp_path / "out"
    with serving(site.answer) as (host,):
        command = [*crawl_all([host], out), "--visit-all", "--timeout", "60"]
        seen: list[tuple[int, str, list[str]]] = []

        def again() -> None:
            second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
            seen.append((second.returncode, second.stderr, sorted(path.name for path in out.glob("crawl-*"))))

        site.before["/5"] = again
        run(command)
        assert len([path for path in host.requests if path != "/robots.txt"]) == len(set(host.requests)) - 1
    ((code, said, files),) = seen
    assert code == 1
    assert said.count("\n") == 1
    assert f"{out}: process " in said
    assert "crawls there; wait for its end" in said
    assert files == ["crawl-00000.warc.gz.open"]
