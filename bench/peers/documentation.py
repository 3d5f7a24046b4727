"""Measures extractors on pages of software documentation, a kind of page of which training sets have few.

    python bench documentation [--data FOLDER] [--pages 40]

The pages are of crawl/docs-*.warc.gz; the generators of their hosts (Sphinx, Doxygen, DocBook, javadoc, …) mark the
text of a page. RULES say how, by host: the element that holds the text, and what in it is navigation. Prints F1 by
words of each extractor on each host's pages, over all words and as the mean over pages.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import mean
from typing import cast
from urllib.parse import urlsplit

import lxml.html
import running
from lxml import etree

from corpusprep import languages
from corpusprep.archive.records import records
from corpusprep.config.settings import default_page_rules
from corpusprep.encoding import charsets, detection
from corpusprep.gold.pages import GoldPage, GoldSet
from corpusprep.gold.scores import macro, micro
from corpusprep.languages import identification
from corpusprep.tables.verdicts import KEPT
from peers import extraction

ARCHIVES = "crawl/docs-*.warc.gz"
#: Pages with fewer words of text are left out: indexes, and pages that lead to others.
LEAST_WORDS = 60

_DOCBOOK = ("//body", "//div[@class='navheader' or @class='navfooter' or @class='toc']")
_DOXYGEN = ("//div[@class='contents']", "")
_SPHINX = ("//div[@class='body'] | //div[@itemprop='articleBody']", "//a[@class='headerlink']")
#: Beginning of a host's name -> paths of the elements that hold the text, and of what in them is navigation.
RULES: dict[str, tuple[str, str]] = {
    "apache2-doc": ("//div[@id='page-content']", "//div[@id='quickview'] | //div[@class='top' or @class='bottomlang']"),
    "aptitude-doc": _DOCBOOK,
    "cppreference": (
        "//div[@id='mw-content-text']",
        "//div[contains(@class, 't-navbar')] | //table[@id='toc'] | //span[@class='editsection']",
    ),
    "debian-handbook": ("//body", "//ul[contains(@class, 'docnav')] | //p[@id='title'] | //div[@class='toc']"),
    "developers-reference": _SPHINX,
    "exim4-doc": ("//body", "//div[contains(@class, 'nav')]"),
    "git-doc": ("//body", "//div[@id='footer']"),
    "installation-guide": _DOCBOOK,
    "libboost": ("//body", "//div[@class='spirit-nav' or @class='toc'] | (//table)[1]"),
    "libstdc++": _DOXYGEN,
    "openjdk": ("//main", ""),
    "postgresql-doc": _DOCBOOK,
    "python-django": ("//div[@id='bd']//div[@class='yui-b'] | //div[@role='main']", "//a[@class='headerlink']"),
    "python3": _SPHINX,
    "quantlib": _DOXYGEN,
    "rust-doc": ("//main", "//nav[@class='nav-wrapper']"),
    "twisted-doc": ("//div[@role='main'] | //main", ""),
}


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints a table with one row per host."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--pages", type=int, default=40, help="at most that many pages per host")
    options = parser.parse_args(arguments)
    archives = sorted(Path(options.data).glob(ARCHIVES))
    if not archives:
        raise running.CommandError(f"{options.data}: no {ARCHIVES}; set CORPUSPREP_DATA or give --data")
    systems = extraction.systems()
    print("| pages of | pages |", *(f"{system.title} |" for system in systems))
    print("|---|---:|", *("---:|" for _ in systems), sep="")
    scores = []
    for gold_set in gold_sets(archives, options.pages):
        counts = [extraction.page_counts(gold_set, system.extract(gold_set.pages)) for system in systems]
        scores.append([(micro(some).f1, macro(some).f1) for some in counts])
        _print_row(gold_set.title, len(gold_set.pages), scores[-1])
    if not scores:
        raise running.CommandError(f"{options.data}: {ARCHIVES} have no pages of the hosts that are known")
    columns = zip(*scores, strict=True)
    means = [(mean(words for words, _ in column), mean(pages for _, pages in column)) for column in columns]
    _print_row("mean", "", means)


def gold_sets(archives: Sequence[Path], most: int) -> Iterator[GoldSet]:
    """Yields a gold set for each rule that has pages; addresses decide which pages are chosen."""
    english, rules = languages.get("en"), default_page_rules()
    found: dict[str, list[tuple[bytes, GoldPage]]] = {name: [] for name in RULES}
    for record in (one for archive in archives for one in records(archive)):
        host = urlsplit(record.url).hostname or ""
        name = next((one for one in RULES if host.startswith(one)), None)
        if name is None or rules.verdict(record) != KEPT:
            continue
        html, _ = charsets.decode(record.body, detection.detect(record.body, english)[0])
        page = gold_page(record.url, html, *RULES[name])
        if page is not None:
            found[name].append((sha256(record.url.encode()).digest(), page))
    for name, pages in found.items():
        chosen = [page for _, page in sorted(pages, key=lambda one: one[0])[:most]]
        for page in chosen:
            page.language = identification.identify(page.gold[""])[0][0]
        if chosen:
            yield GoldSet(name, name, sorted(chosen, key=lambda page: page.name))


def gold_page(url: str, html: str, text: str, navigation: str) -> GoldPage | None:
    """Returns a page with its text by a rule; None for a page of little text, or without the element of the rule."""
    try:
        root = lxml.html.document_fromstring(html.encode())
    except (etree.ParserError, ValueError):
        return None
    for element in _elements(root, f"//script | //style | //head{f' | {navigation}' if navigation else ''}"):
        if element.getparent() is not None:
            element.drop_tree()
    gold = "\n".join("".join(_pieces(element)) for element in _elements(root, text))
    if len(gold.split()) < LEAST_WORDS:
        return None
    return GoldPage(url, html, gold={"": gold})


def _elements(root: lxml.html.HtmlElement, path: str) -> list[lxml.html.HtmlElement]:
    """Returns the elements that an XPath finds."""
    return cast("list[lxml.html.HtmlElement]", root.xpath(path))


def _pieces(root: etree._Element) -> Iterator[str]:
    """Yields the text of an element, with a line break around each element in it that is no part of a line."""
    for event, element in etree.iterwalk(root, events=("start", "end", "comment")):
        breaks = element.tag in lxml.html.defs.block_tags or element.tag in {"br", "td", "th", "dt", "dd", "li", "tr"}
        if breaks:
            yield "\n"
        if event == "start":
            yield element.text or ""
        if event != "start" and element is not root:
            yield element.tail or ""


def _print_row(title: str, pages: int | str, scores: Sequence[tuple[float, float]]) -> None:
    print(f"| {title} | {pages} |", *(f"{over_words:.1f} / {over_pages:.1f} |" for over_words, over_pages in scores))
