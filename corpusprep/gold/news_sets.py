"""Reads sets in other languages: DAnIEL's news in five languages (Lejeune and others 2015), and Chinese pages."""

import html
import json
import re
from collections import Counter
from pathlib import Path

from corpusprep.gold.json_sets import overlapping
from corpusprep.gold.pages import Files, GoldPage, GoldSet, count_unpaired, decode_gold, decode_page

_CODES = {"English": "en", "Chinese": "zh", "Polish": "pl", "Greek": "el", "Russian": "ru"}
_PARAGRAPH = re.compile(r"</?p>")


def daniel(data: Path) -> GoldSet:
    """Reads DAnIEL; a gold text has one paragraph per line, in <p>."""
    name = "daniel-dev"
    files = Files(data, name)
    cases: Counter[str] = Counter()
    languages = json.loads(files.read(f"{name}/doc_lg.json"))
    golds, left_out = files.names(f"{name}/gold"), overlapping(files, name)
    htmls = files.names(f"{name}/html")
    count_unpaired(htmls, golds, cases)
    pages = []
    for page, path in htmls.items():
        language = _CODES.get(languages.get(page, ""))
        cases["pages without a language, left out"] += language is None
        if language is None or page not in golds:
            continue
        gold = html.unescape(_PARAGRAPH.sub(" ", decode_gold(files.read(golds[page]), cases)))
        site = page.split("_")[1] if page.count("_") > 1 else page
        html_text = decode_page(files.read(path), cases, language)
        pages.append(GoldPage(page, html_text, site, {"": gold}, None, language, "article", overlap=page in left_out))
    return GoldSet("daniel", "DAnIEL", pages, cases=cases, data=files.digest)


def chinese(data: Path) -> GoldSet:
    """Reads the Chinese pages, many of them in legacy encodings."""
    name = "zh-web-content-dev"
    files = Files(data, name)
    cases: Counter[str] = Counter()
    golds = files.stems(f"{name}/gold")
    htmls = files.stems(f"{name}/html")
    count_unpaired(htmls, golds, cases)
    pages = []
    for page, path in htmls.items():
        if page not in golds:
            continue
        gold = decode_gold(files.read(golds[page]), cases)
        pages.append(GoldPage(page, decode_page(files.read(path), cases, "zh"), page, {"": gold}, None, "zh"))
    return GoldSet("chinese", "Chinese Web pages", pages, cases=cases, data=files.digest)
