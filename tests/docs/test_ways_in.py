"""Runs what the pages about fetching and crawling show, on servers of this machine."""

import base64
import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest
import yaml
from support.archives import warc_record
from support.file_server import serving
from support.host_farm import farm
from support.markdown import Snippet, snippets
from support.running import BIN, ENVIRONMENT, REPOSITORY
from support.small_tokenizer import write_tokenizer

from corpusprep.config.settings import load_schema, resolve

HOW_TO = REPOSITORY / "docs" / "how-to"


def run(text: str, folder: Path) -> str:
    """Runs shell commands of a page; returns what they print."""
    environment = ENVIRONMENT | {"PATH": f"{BIN}{os.pathsep}{os.defpath}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
    return done.stdout


def shown(snippet: Snippet, printed: str) -> bool:
    """Whether the lines that a page shows were printed; `…` stands for anything."""
    wanted = [line.split("…") for line in snippet.output.splitlines()]
    lines = iter(printed.splitlines())
    return all(any(all(part in line for part in parts) for line in lines) for parts in wanted)


def commands(page: str) -> list[Snippet]:
    """The shell commands of a page."""
    return [snippet for snippet in snippets(HOW_TO / page) if snippet.kind == "sh"]


@pytest.mark.parametrize("page", ["inputs.md", "crawl.md", "templates.md", "rights.md", "language-models.md"])
def test_configs_are_accepted(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each example is a config, or a part of one."""
    monkeypatch.chdir(tmp_path)
    Path("forget.txt").write_text("example.org\n", encoding="utf-8")
    write_tokenizer(Path("tokenizer.json"))
    corpora = {"corpora": {"mine": {"language": "en", "archives": ["x"]}}}
    found = [yaml.safe_load(snippet.text) for snippet in snippets(HOW_TO / page) if snippet.kind == "yaml"]
    assert found
    for config in found:
        resolve(corpora | config, load_schema())


@pytest.mark.slow
def test_the_page_about_fetching_shows_what_is_printed(tmp_path: Path) -> None:
    """Against a server on this machine."""
    [fetch] = commands("fetch.md")
    bodies = [f"<p>Strana {n}</p>".encode() for n in range(3)]
    stored = [warc_record(f"http://www.priklad{n}.cz/", body) for n, body in enumerate(bodies)]
    lines = []
    for n, (body, record) in enumerate(zip(bodies, stored, strict=True)):
        digest = base64.b32encode(hashlib.sha1(body).digest()).decode()
        row = {"url": f"http://www.priklad{n}.cz/", "filename": "x.warc.gz", "offset": str(sum(map(len, stored[:n])))}
        row |= {"length": str(len(record)), "digest": digest, "languages": "ces", "status": "200", "mime": "text/html"}
        lines.append(f"cz,priklad)/ 2024 {json.dumps(row)}\n")
    (tmp_path / "index.cdxj").write_text("".join(lines), encoding="utf-8")
    with serving({"/x.warc.gz": b"".join(stored)}) as server:
        here = fetch.text.replace("https://data.commoncrawl.org", server.url)
        printed = run(f"{here.rstrip()} --allow-private", tmp_path)
    assert shown(fetch, printed)
    assert (tmp_path / "czech" / "records-00000.warc.gz").read_bytes() == b"".join(stored)


@pytest.mark.slow
def test_the_page_about_crawling_shows_what_is_printed(tmp_path: Path) -> None:
    """From queries to yields, on hosts of this machine."""
    queries, urls, crawl, table, archives = commands("crawl.md")
    with farm(good=2, farms=1, traps=0, foreign=0) as hosts:
        inside = [hosts.hosts[name] for name in hosts.inside]
        (tmp_path / "found.txt").write_text("".join(f"{host.url}/\n" for host in inside), encoding="utf-8")
        (tmp_path / "more.tsv").write_text(f"1\t{inside[0].url}/1?utm_source=x\tTitle\n", encoding="utf-8")
        allowed = " ".join(f"--host {host.address}" for host in inside)
        for snippet in (queries, urls, crawl, table, archives):
            text = snippet.text.rstrip()
            if snippet is crawl:
                text += f" --delay 0 --timeout 5 --seconds 60 --max-bytes 200kB --allow-private --no-sitemaps {allowed}"
            assert shown(snippet, run(text, tmp_path)), text
    assert (tmp_path / "yield.svg").stat().st_size > 5_000
    assert len((tmp_path / "queries.txt").read_text(encoding="utf-8").splitlines()) == 50
