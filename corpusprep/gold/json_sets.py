"""Reads sets whose gold is one JSON file per page: WCXB, Fundus's and extractors' test pages, Trafilatura's pages."""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from corpusprep.gold.pages import Files, GoldError, GoldPage, GoldSet, decode_gold, decode_page

#: Language codes in gold files that differ from the names of built-in languages.
_CODES = {"no": "nb"}


def wcxb(data: Path) -> GoldSet:
    """Reads WCXB's development part: modern pages of seven kinds (Foley 2026)."""
    files, cases, pages = Files(data, "wcxb-dev"), Counter[str](), []
    left_out = overlapping(files, "wcxb-dev")
    for name, html, gold in _pages(files, "wcxb-dev", cases):
        text = gold["ground_truth"].get("main_content")
        if not text:
            cases["pages with an empty gold text, left out"] += 1
            continue
        pages.append(
            GoldPage(
                name,
                html,
                host_of(gold.get("url") or "") or name,
                {"": text},
                kind=gold["_internal"]["page_type"]["primary"],
                overlap=name in left_out,
            )
        )
    return GoldSet("wcxb", "WCXB, development", pages, cases=cases, data=files.digest)


def fundus(data: Path) -> GoldSet:
    """Reads news pages of 19 languages, with the text that the parsers of Fundus, written by publisher, give."""
    return _with_text(data, "fundus-train", "fundus", "Fundus")


def fixtures(data: Path) -> GoldSet:
    """Reads the test pages of three extractors (postlight, newspaper, newspaper4k)."""
    return _with_text(data, "fixtures-train", "fixtures", "Test pages of extractors")


def trafilatura(data: Path) -> GoldSet:
    """Reads Trafilatura's evaluation pages: snippets that are in the main text, and snippets that are not."""
    files, cases, pages = Files(data, "trafilatura-train"), Counter[str](), []
    for name, html, gold in _pages(files, "trafilatura-train", cases):
        cases["pages with the whole text"] += bool(gold.get("text"))
        text = {"": gold["text"]} if gold.get("text") else {}
        page = GoldPage(name, html, gold["group"], text, language=_language(gold), kind="article")
        page.wanted, page.unwanted = tuple(gold.get("with") or ()), tuple(gold.get("without") or ())
        pages.append(page)
    return GoldSet("trafilatura", "Trafilatura’s pages", pages, cases=cases, data=files.digest)


def host_of(url: str) -> str:
    """Returns the host of a URL without `www.`; empty if it has none."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def overlapping(files: Files, folder: str) -> set[str]:
    """Returns the names of pages that share text with held-out pages: they are left out of training."""
    lines = files.look_up(f"{folder}/overlap.txt").decode().splitlines()
    return {line.split()[0].removesuffix(".html") for line in lines if line.strip()}


def _with_text(data: Path, folder: str, name: str, title: str) -> GoldSet:
    files, cases = Files(data, folder), Counter[str]()
    pages = [
        GoldPage(page, html, gold["group"], {"": gold["text"]}, language=_language(gold), kind="article")
        for page, html, gold in _pages(files, folder, cases)
    ]
    return GoldSet(name, title, pages, cases=cases, data=files.digest)


def _pages(files: Files, folder: str, cases: Counter[str]) -> list[tuple[str, str, dict[str, Any]]]:
    """Returns name, decoded page and gold of each page that has a gold file; pages without one are counted."""
    golds = files.stems(f"{folder}/gold")
    pages = []
    for name, path in files.stems(f"{folder}/html").items():
        if name not in golds:
            cases["pages without a gold text, left out"] += 1
            continue
        try:
            gold = json.loads(decode_gold(files.read(golds[name]), cases))
        except ValueError as error:
            raise GoldError(f"{golds[name]}: not a JSON file: {error}") from None
        pages.append((name, decode_page(files.read(path), cases), gold))
    return pages


def _language(gold: dict[str, Any]) -> str:
    code = gold.get("language") or "en"
    return _CODES.get(code, code)
