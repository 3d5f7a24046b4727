"""Reads the sets with annotated text nodes: L3S-GN1 (2.8.3) and Canola (2.8.2)."""

import hashlib
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from corpusprep.gold.pages import Files, GoldError, GoldPage, GoldSet, count_unpaired, decode_page
from corpusprep.gold.text_nodes import TextNode, spans_of_nodes, text_nodes
from corpusprep.pages import html as html_parser
from corpusprep.pages.segmentation import Blocks, Segmenter

_L3S_CONTENT = set("12345")  # headline, full text, supplemental, related content, comments
_L3S_MAIN = set("1234")  # all but comments

_CANOLA_CLASS = re.compile(r"krdwrd-tag-([123])-(\d+)\Z")
#: What the labels of Victor's authors begin with, and the one of what is not content.
VICTOR, VICTOR_OTHER = "victor_", "victor_other"
_VICTOR_SPAN = re.compile(r'<span id="victor_an\d+" class="victor_\w+">([^<]*)</span>')

_KW = re.compile(r"</?kw\b[^>]*>", re.IGNORECASE)
BAD, UNDECIDED, GOOD = "123"

#: Percentage of hosts whose pages form Canola's development set.
_DEVELOPMENT_PERCENT = 50


def l3s_gn1(data: Path) -> GoldSet:
    """Reads L3S-GN1: news pages with classes of content, mostly on <span>. The innermost of nested ones counts."""
    files = Files(data, "l3s-gn1")
    cases: Counter[str] = Counter()
    originals = files.stems("l3s-gn1/original")
    sites = _l3s_sites(files)
    annotated = files.stems("l3s-gn1/annotated")
    count_unpaired(originals, annotated, cases)
    pages = []
    for name, path in annotated.items():
        if name not in originals:
            continue
        nodes, blocks = _annotated(files.read(path).decode("utf-8", "replace"), "x-nc-sel")
        cases["text nodes under nested annotations (the innermost counts)"] += sum(node.nested for node in nodes)
        cases["text nodes without an annotation (not content)"] += sum(not node.label for node in nodes)
        html = decode_page(files.read(originals[name]), cases)
        gold = {
            measure: _text_of(nodes, [node.label[8:9] in classes for node in nodes], blocks, name)
            for measure, classes in (("", _L3S_CONTENT), ("main", _L3S_MAIN))
        }
        pages.append(GoldPage(name, html, sites.get(name, name), gold))
    return GoldSet("l3s-gn1", "L3S-GN1", pages, cases=cases, data=files.digest)


def cleaneval_victor(data: Path) -> GoldSet:
    """Reads the 51 development pages of CleanEval on which Victor's authors labelled the text nodes.

    The labels are victor_header, victor_paragraph, victor_list, victor_continuation and victor_other.
    """
    files = Files(data, "cleaneval")
    cases: Counter[str] = Counter()
    pages = []
    for name, path in files.stems("cleaneval/dev/victor-anno").items():
        text = decode_page(files.read(path), cases)
        nodes, blocks = _annotated(text, VICTOR)
        cases["text nodes without a label"] += sum(not node.label for node in nodes)
        content = [node.label not in ("", VICTOR_OTHER) for node in nodes]
        gold = {"": _text_of(nodes, content, blocks, name)}
        pages.append(GoldPage(name, _VICTOR_SPAN.sub(r"\1", text), name, gold, nodes))
    return GoldSet("cleaneval-victor", "CleanEval with Victor’s labels", pages, cases=cases, data=files.digest)


def canola_dev(data: Path) -> GoldSet:
    """Reads Canola's pages of one half of its hosts, for choosing thresholds."""
    return _canola(data, "canola-dev", "Canola, development", development=True)


def canola_test(data: Path) -> GoldSet:
    """Reads Canola's pages of the other half of its hosts."""
    return _canola(data, "canola-test", "Canola, test", development=False)


def reliability(node: TextNode) -> tuple[str, int]:
    """Returns a Canola node's class (BAD, UNDECIDED, GOOD; "" for a tie) and annotation reliability (2.8.2)."""
    match = _CANOLA_CLASS.match(node.label)
    return (match[1], int(match[2])) if match else ("", 0)


def _canola(data: Path, name: str, title: str, *, development: bool) -> GoldSet:
    """Reads one half. The thesis split at random; here the split is reproducible and no host is in both halves."""
    files = Files(data, "canola")
    cases: Counter[str] = Counter()
    urls = dict(line.split()[:2] for line in files.read("canola/urls").decode().splitlines() if line.strip())
    annotated, merged = files.stems("canola/stats-html"), files.stems("canola/merged")
    pages = []
    for page in annotated:
        host = (urlsplit(urls.get(page, "")).hostname or page).removeprefix("www.")
        half = int(hashlib.sha1(host.encode(), usedforsecurity=False).hexdigest(), 16) % 100 < _DEVELOPMENT_PERCENT
        if half != development:
            continue
        if page not in merged:
            cases["annotated pages that are not in the final corpus, left out"] += 1
            continue
        text = files.read(annotated[page]).decode("utf-8", "replace")
        nodes, blocks = _annotated(text, "krdwrd-tag-")
        # In the thesis text in <select> is not a text node (2.9).
        counted = [node for node in nodes if not node.in_select]
        if any(not node.label for node in counted):
            cases["pages with unannotated text nodes, left out"] += 1
            cases["annotated text nodes in pages with unannotated ones, left out"] += sum(
                bool(node.label) for node in counted
            )
            continue
        cases["text nodes in <select>, left out"] += len(nodes) - len(counted)
        classes = [reliability(node)[0] for node in nodes]
        cases["ties"] += sum(not label and bool(node.label) for label, node in zip(classes, nodes, strict=True))
        cases["undecided text nodes"] += classes.count(UNDECIDED)
        gold = {
            "with": _text_of(nodes, [label in (GOOD, UNDECIDED) for label in classes], blocks, page),
            "without": _text_of(nodes, [label == GOOD for label in classes], blocks, page),
        }
        pages.append(GoldPage(page, _KW.sub("", text), host, gold, nodes))
    return GoldSet(name, title, pages, cases=cases, data=files.digest)


def _annotated(text: str, prefix: str) -> tuple[list[TextNode], Blocks]:
    """Returns the text nodes of an annotated page, and its blocks."""
    root = html_parser.parse(text)
    segmenter = Segmenter(())
    segmenter.keeps_hidden = segmenter.keeps_readings = True
    segmenter.add(root)
    return text_nodes(root, prefix), segmenter.take()


def _text_of(nodes: list[TextNode], good: list[bool], blocks: Blocks, page: str) -> str:
    """Returns the text of the good nodes: nodes of one block are joined, blocks are separated by line breaks."""
    numbers = spans_of_nodes(nodes, blocks.text, blocks.offsets.tolist())
    if numbers is None:
        raise GoldError(f"page {page}: its text nodes and its blocks hold different text")
    parts: list[str] = []
    previous = -1
    for node, kept, number in zip(nodes, good, numbers.tolist(), strict=True):
        if kept:
            parts += ["\n"] * (number != previous) + [node.text]
            previous = number
    return "".join(parts)


def _l3s_sites(files: Files) -> dict[str, str]:
    """Returns page -> host, from the set's list of URLs."""
    sites = {}
    for line in files.read("l3s-gn1/url-mapping.txt").decode("utf-8", "replace").splitlines():
        name, _, url = line.partition("\t")
        host = urlsplit(url.strip()).hostname
        if host:
            sites[name.strip().removeprefix("<urn:uuid:").removesuffix(">")] = host.removeprefix("www.")
    return sites
