"""Makes crawls of much text and little markup: a run over many tokens shows what failures do, not what HTML costs.

A page has a menu, and paragraphs of runs of words from real paragraphs in random order. Some paragraphs are from a pool
that all pages share, and some pages are another page with one paragraph replaced, so that there is something to
de-duplicate. The same source and numbers give the same bytes.
"""

import random
import re
import zlib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from corpusprep.archive.records import Record

#: Successive words of a real paragraph that stay together.
RUN = 6
#: Runs of a paragraph, and paragraphs of a page, at random.
PARAGRAPH_RUNS, PAGE_PARAGRAPHS = range(5, 16), range(8, 33)
#: Words of a page in the mean.
PAGE_WORDS = RUN * (PARAGRAPH_RUNS[0] + PARAGRAPH_RUNS[-1]) * (PAGE_PARAGRAPHS[0] + PAGE_PARAGRAPHS[-1]) // 4
#: Paragraphs that many pages share, the share of paragraphs that are from them, and of pages that repeat another.
POOL, POOLED, REPEATED = 20_000, 0.1, 0.04
SEED = 2011
#: A run has one of them: the source has paragraphs in other languages.
ENGLISH = frozenset(
    ("the", "of", "and", "to", "in", "is", "are", "that", "for", "it", "with", "be", "on", "by", "this")
)
_PARAGRAPH, _TAG = re.compile(rb"<p>(.*?)</p>", re.DOTALL), re.compile(rb"<[^>]*>|[<>&;]")
_MENU = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("home", "news", "about", "contact", "search"))


@dataclass(frozen=True)
class Texts:
    """What pages are made of: runs of words, and paragraphs that many pages share."""

    runs: Sequence[str]
    pool: Sequence[str]


def texts(source: Sequence[Record]) -> Texts:
    """Takes runs of English words from the paragraphs of real pages."""
    runs: list[str] = []
    for page in source:
        for match in _PARAGRAPH.finditer(page.body):
            words = _TAG.sub(b" ", match[1]).decode("ascii", "ignore").split()
            parts = [words[start : start + RUN] for start in range(0, len(words) - RUN + 1, RUN)]
            runs += [" ".join(part) for part in parts if not ENGLISH.isdisjoint(part)]
    chance = random.Random(SEED)
    return Texts(runs, [_paragraph(runs, chance) for _ in range(POOL)])


def make(made_of: Texts, archives: int, pages: int, folder: Path) -> None:
    """Writes `archives` gzip WARC archives of `pages` pages each, with one process per core."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as workers:
        list(workers.map(partial(_write, made_of, pages, folder), range(archives), chunksize=8))


def _write(made_of: Texts, pages: int, folder: Path, archive: int) -> None:
    members = (_member(made_of, number) for number in range(archive * pages, (archive + 1) * pages))
    path = folder / f"made-{archive:05}.warc.gz"
    partial = path.with_suffix(".partial")
    partial.write_bytes(b"".join(members))
    partial.rename(path)


def _member(made_of: Texts, number: int) -> bytes:
    chance = random.Random(f"{SEED} page {number}")
    if number and chance.random() < REPEATED:
        found = _paragraphs(made_of, random.Random(f"{SEED} page {chance.randrange(number)}"))
        found[chance.randrange(len(found))] = _paragraph(made_of.runs, chance)
    else:
        found = _paragraphs(made_of, chance)
    body = "".join(f"<p>{paragraph}</p>\n" for paragraph in found)
    http = (
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        f"<!DOCTYPE html><html><head><title>Page {number}</title></head><body><ul>{_MENU}</ul>{body}</body></html>"
    )
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:corpusprep:made:{number}>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://host{number % 999}.example/{number}\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    compressor = zlib.compressobj(1, zlib.DEFLATED, 31)
    return compressor.compress(f"{head}{http}\r\n\r\n".encode()) + compressor.flush()


def _paragraphs(made_of: Texts, chance: random.Random) -> list[str]:
    """The paragraphs of a page. Those of a page that repeats another are not its own, so a repeat is never repeated."""
    return [
        chance.choice(made_of.pool) if chance.random() < POOLED else _paragraph(made_of.runs, chance)
        for _ in range(chance.choice(PAGE_PARAGRAPHS))
    ]


def _paragraph(runs: Sequence[str], chance: random.Random) -> str:
    return " ".join(chance.choices(runs, k=chance.choice(PARAGRAPH_RUNS)))
