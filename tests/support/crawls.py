"""Runs of `corpusprep crawl` on hosts of this machine."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from support.host_farm import Answer, Farm, Host

AGENT = "corpusprep-tests (+https://example.org/crawl; me@example.org)"
LOCAL = ["--allow-private", "--no-sitemaps", "--delay", "0", "--timeout", "30", "--seconds", "60"]


def crawl(hosts: Farm, folder: Path, *options: str) -> list[str]:
    """The command line of a crawl from all hosts inside the limits."""
    seeds = folder.with_suffix(".txt")
    seeds.write_text("".join(f"{hosts.hosts[name].url}/\n" for name in hosts.inside), encoding="utf-8")
    allowed = [word for name in hosts.inside for word in ("--host", hosts.hosts[name].address)]
    start = [sys.executable, "-m", "corpusprep", "crawl", str(seeds), "--language", "en", "--user-agent", AGENT]
    fixed = [*LOCAL, "--max-bytes", "200kB"]
    return [*start, "--output", str(folder), *allowed, *fixed, *options]


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """A crawl that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stderr
    return done


TEXT = {"Content-Type": "text/plain"}
Served = Callable[[str], Answer]


@contextmanager
def serving(*answers: Served) -> Iterator[list[Host]]:
    """Hosts that answer."""
    hosts = [Host(f"127.0.1.{number}", answer) for number, answer in enumerate(answers, 1)]
    for host in hosts:
        host.start()
    try:
        yield hosts
    finally:
        for host in hosts:
            host.stop()


def crawl_all(hosts: list[Host], folder: Path, *options: str) -> list[str]:
    """The command line of a crawl that begins with the first page of each host."""
    seeds = folder.with_suffix(".txt")
    seeds.write_text("".join(f"{host.url}/\n" for host in hosts), encoding="utf-8")
    start = [sys.executable, "-m", "corpusprep", "crawl", str(seeds), "--language", "en", "--user-agent", AGENT]
    return [*start, "--output", str(folder), *LOCAL, *options]
