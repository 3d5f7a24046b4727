"""Reads sets in CleanEval's format: CleanEval's English pages (2.8.1) and CleanPortalEval (Endrédy and Novák 2013).

A gold text begins with a line `URL: …`, and its segments are marked. A page of CleanEval is wrapped in
<text id=… encoding=…>, which is not part of the page.
"""

import re
from collections import Counter
from pathlib import Path

from corpusprep.gold.pages import Files, GoldPage, GoldSet, count_unpaired, decode_gold, decode_page

#: Pages whose gold texts belong to other pages; the thesis left them out (2.9.7).
WRONG_GOLD = {"103", "250"}

_WRAPPER = re.compile(r"\A\s*<text\b[^>]*>", re.IGNORECASE)
_WRAPPER_END = re.compile(r"</text>\s*\Z", re.IGNORECASE)
_PORTAL = re.compile(r"[^_]*")


def cleaneval_dev(data: Path) -> GoldSet:
    """Reads CleanEval's 58 development pages."""
    return _cleaneval(data, "dev", "CleanEval, development")


def cleaneval_final(data: Path) -> GoldSet:
    """Reads CleanEval's final pages with a gold text, except those that the thesis left out."""
    return _cleaneval(data, "final", "CleanEval")


def cleanportaleval(data: Path) -> GoldSet:
    """Reads CleanPortalEval: several pages of each of four portals."""
    return _read(Files(data, "cleanportaleval"), "cleanportaleval", "cleanportaleval", "CleanPortalEval")


def _cleaneval(data: Path, part: str, title: str) -> GoldSet:
    return _read(Files(data, "cleaneval"), f"cleaneval/{part}", f"cleaneval-{part}", title)


def _read(files: Files, folder: str, name: str, title: str) -> GoldSet:
    cases: Counter[str] = Counter()
    pages, golds = files.stems(f"{folder}/html"), files.stems(f"{folder}/gold")
    count_unpaired(pages, golds, cases)
    read = []
    for page, path in pages.items():
        if page not in golds:
            continue
        if name == "cleaneval-final" and page in WRONG_GOLD:
            cases["pages with a wrong gold text, left out"] += 1
        else:
            html = decode_page(files.read(path), cases)
            html, wrappers = _WRAPPER.subn("", html, count=1)
            if wrappers:
                cases["<text> wrappers stripped"] += 1
                html = _WRAPPER_END.sub("", html)
            gold = decode_gold(files.read(golds[page]), cases)
            site = _PORTAL.match(page)
            read.append(GoldPage(page, html, site[0] if site and "_" in page else page, {"": gold}))
    return GoldSet(name, title, read, markup=True, cases=cases, data=files.digest)
