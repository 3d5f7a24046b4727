"""Measures parsers that might take the place of libxml2's: speed, and pages with the same blocks.

    python bench parsers [--data FOLDER] [--pages N] [CRAWL …]

Blocks of another parser's tree: its HTML, which closes every element, is parsed by libxml2 and cut as usual. On pages
whose blocks differ, html5lib says which tree is that of the HTML Standard. Times are CPU time, the least of RUNS.
"""

import contextlib
import warnings
from collections import Counter
from collections.abc import Callable, Sequence

import html5lib
import running
from lxml import etree
from resiliparse.parse.html import HTMLTree
from selectolax.lexbor import LexborHTMLParser

from corpusprep.cleaners.content.cleaner import Content
from corpusprep.encoding import charsets
from corpusprep.pages import html
from corpusprep.pages.segmentation import Blocks, Segmenter
from speed import crawls, paired

RUNS = 4
#: Pages whose blocks differ that html5lib reads, and the most characters of one: it is slow.
ARBITRATED, LONGEST = 12, 150_000


#: As in corpusprep/pages/html.py, but it is given the whole page.
_WHOLE = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, collect_ids=False, huge_tree=True)


def _whole(markup: bytes) -> None:
    with contextlib.suppress(etree.XMLSyntaxError):
        etree.fromstring(markup, _WHOLE)


def _walked(markup: bytes) -> int:
    """Returns the size of the names, attributes and text of a tree of Lexbor, read node by node in Python."""
    size = 0
    root = LexborHTMLParser(markup).root
    for node in root.traverse(include_text=True) if root is not None else ():
        size += len(node.tag or "") + len(node.text_content or "" if node.tag == "-text" else node.attributes)
    return size


def _segmented(markup: bytes) -> Blocks:
    segmenter = Segmenter(())
    segmenter.add(html.parse(markup))
    return segmenter.take()


#: Way to read a page -> what it does.
WAYS: dict[str, Callable[[bytes], object]] = {
    "libxml2 (lxml): tree": _whole,
    "libxml2: tree of lean markup": html.parse,
    "libxml2: the same and blocks": _segmented,
    "Lexbor (selectolax): tree": LexborHTMLParser,
    "Lexbor: tree, read in Python": _walked,
    "Lexbor (resiliparse): tree": lambda markup: HTMLTree.parse_from_bytes(markup, "utf-8"),
}


def main(prog: str, arguments: Sequence[str]) -> None:
    """Prints a table per crawl."""
    parser = running.parser(prog, __doc__)
    running.add_data(parser)
    parser.add_argument("--pages", type=int, default=300, help="pages per crawl, evenly spaced")
    parser.add_argument("crawls", nargs="*", default=crawls.CRAWLS, help="names of crawls")
    options = parser.parse_args(arguments)
    for archive in running.crawl_archives(options.data, options.crawls):
        crawl = crawls.read(archive)
        pages = crawl.pages[:: max(1, len(crawl.pages) // options.pages)]
        texts = [charsets.decode(page.body, page.encoding)[0].encode("utf-8", "replace") for page in pages]
        print(f"{crawl.name}: {len(texts)} pages, {sum(map(len, texts)) / 1e6:.1f} MB")
        _speed(texts)
        _equality(texts)


def _speed(texts: Sequence[bytes]) -> None:
    def all_of(way: Callable[[bytes], object]) -> None:
        for text in texts:
            with contextlib.suppress(html.PageError):
                way(text)

    least: dict[str, float] = {}
    for _ in range(RUNS):
        for name, way in WAYS.items():
            least[name] = min(least.get(name, float("inf")), paired.cpu_seconds(lambda way=way: all_of(way)))  # type: ignore[misc]
    first = next(iter(least.values()))
    for name, seconds in least.items():
        print(f"  {name:<30} {len(texts) / seconds:>7,.0f} pages/s {first / seconds:>6.2f}x")


def _equality(texts: Sequence[bytes]) -> None:
    equal: Counter[str] = Counter()
    arbiter: Counter[str] = Counter()
    model = Content()
    for text in texts:
        ours, good = _cut(text, model)
        other = LexborHTMLParser(text).html or ""
        theirs, other_good = _cut(other.encode("utf-8", "replace"), model)
        equal["texts of all blocks"] += ours == theirs
        equal["good text of content"] += good == other_good
        if ours != theirs and sum(arbiter.values()) < ARBITRATED and len(text) < LONGEST:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # names that XML does not allow
                tree = html5lib.parse(text.decode(), treebuilder="lxml", namespaceHTMLElements=False)
            standard, _ = _cut(etree.tostring(tree, encoding="utf-8", method="html"), model)
            arbiter["libxml2" if standard == ours else "Lexbor" if standard == theirs else "neither"] += 1
    for name, count in equal.items():
        print(f"  pages with equal {name:<22} {100 * count / len(texts):.1f} %")
    print("  html5lib agrees with:", ", ".join(f"{name} {count}" for name, count in sorted(arbiter.items())) or "-")


def _cut(markup: bytes, classifier: Content) -> tuple[list[str], list[str]]:
    """Returns the texts of a page's blocks, and of those that `content` keeps."""
    segmenter = Segmenter((), model=classifier.block_model)
    root = None
    with contextlib.suppress(html.PageError):
        root = html.parse(markup)
    segmenter.add(root)
    blocks = segmenter.take()
    texts = blocks.texts()
    return texts, [text for text, good in zip(texts, classifier.classify(blocks).good.tolist(), strict=True) if good]
