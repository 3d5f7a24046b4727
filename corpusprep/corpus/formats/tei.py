"""Writes the corpus as TEI P5: a `teiCorpus` with one `TEI` per document, tokens as `w` and `pc`.

Blocks are `head`, `item` of a `list`, or `p`, with the text of their block: white space stands between tokens where the
page has it. Columns of the vertical with lemmas and parts of speech are attributes of tokens. The schema of what is
written is tests/corpus/tei.rng, a subset of TEI.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from corpusprep.corpus.formats.interface import CorpusDocument, OutputFormat, Write
from corpusprep.io.files import zstd_writer
from corpusprep.text.tei import body
from corpusprep.text.vertical import escape
from corpusprep.text.vertical_lines import BlockLines, block_lines

_START = """<?xml version="1.0" encoding="UTF-8"?>
<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader><fileDesc><titleStmt><title>{name}</title></titleStmt>
<publicationStmt><p>A corpus of Web pages, made with corpusprep.</p></publicationStmt>
<sourceDesc><p>Web archives; each document names its own.</p></sourceDesc></fileDesc></teiHeader>
"""

_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_NOT_IN_PATHS = str.maketrans({"[": "%5B", "]": "%5D", "#": "%23"})
_HOST = r"(?:[^/?#@\[\]\\]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^/?#@:\[\]\\]*)(?::[0-9]{1,5})?(?=[/?#]|$)"
#: Scheme and host, or a scheme alone, or a host alone, or neither; what follows begins with a path.
_BEGINNING = re.compile(rf"[A-Za-z][A-Za-z0-9+.-]*:(?://{_HOST}|(?!//))|//{_HOST}|(?!//)(?=[^:/?#]*(?:[/?#]|$))")
#: Attribute of a token -> columns of the vertical that it may be taken from, the best first.
_ATTRIBUTES = {"lemma": ("lemma",), "pos": ("pos", "upos", "tag", "xpos")}


@contextmanager
def writer(path: Path, attributes: Sequence[str] = (), columns: Sequence[str] = ()) -> Iterator[Write]:
    """Writes documents into compressed TEI. A file of an empty batch has one document without text, as TEI asks.

    `columns` are the names of the columns of the vertical.
    """
    del attributes  # of blocks: in their lines
    places = _places(columns)
    with zstd_writer(path) as stream:
        written = False
        stream.write(_START.format(name=escape(path.name.partition(".tei")[0])).encode())

        def write(document: CorpusDocument) -> None:
            nonlocal written
            written = True
            stream.write("".join(_document(document, places)).encode())

        yield write
        if not written:
            stream.write(_EMPTY)
        stream.write(b"</teiCorpus>\n")


_EMPTY = (
    b"<TEI><teiHeader><fileDesc><titleStmt><title/></titleStmt><publicationStmt><p/></publicationStmt>"
    b"<sourceDesc><p/></sourceDesc></fileDesc></teiHeader><text><body><p/></body></text></TEI>\n"
)


def _places(columns: Sequence[str]) -> Mapping[str, int]:
    """Returns the attributes of tokens that there are, each with the number of its column."""
    numbers = {name: number for number, name in enumerate(columns, start=1)}
    places = {said: next((name for name in names if name in numbers), "") for said, names in _ATTRIBUTES.items()}
    return {said: numbers[name] for said, name in places.items() if name}


def _document(document: CorpusDocument, places: Mapping[str, int]) -> Iterator[str]:
    values = {
        name: escape(value) for name, value in document.values.items() if isinstance(value, str) and name != "text"
    }
    names = [name for name in document.values["author"].split("; ") if name]
    authors = "".join(f"<author>{escape(name)}</author>" for name in names)
    title = values["headline"] or values["title"]
    yield f'<TEI xml:id="d{values["id"]}"><teiHeader><fileDesc><titleStmt><title>{title}</title>{authors}</titleStmt>\n'
    yield f'<extent><measure unit="words" quantity="{document.values["words"]}"/>'
    yield f'<measure unit="tokens" quantity="{document.values["tokens"]}"/></extent>\n'
    yield f"<publicationStmt><publisher>{values['site'] or values['host']}</publisher>"
    yield from _date("publication", values["published"])
    if values["licence"]:
        yield f"<availability><licence>{values['licence']}</licence></availability>"
    yield "</publicationStmt>\n<sourceDesc><bibl>"
    address = pointer(document.values["url"])
    yield f'<ptr target="{escape(address)}"/>' if address else ""
    yield from _date("crawl", values["date"])
    yield from _date("modification", values["modified"])
    yield f'<idno type="url">{values["url"]}</idno>' if values["url"] and not address else ""
    for kind in ("host", "canonical", "archive", "record_id", "encoding", "page_type", "sources", "rights"):
        yield f'<idno type="{kind}">{values[kind]}</idno>' if values[kind] else ""
    for name, value in document.own.items():
        yield f'<idno type="{name}">{escape(value)}</idno>'
    yield '<note type="truncated"/>' if document.values["truncated"] else ""
    yield f'<idno type="offset">{document.values["offset"]}</idno></bibl></sourceDesc></fileDesc>\n'
    yield f'<profileDesc><langUsage><language ident="{values["lang"]}">{values["lang"]}</language></langUsage>'
    yield "</profileDesc></teiHeader>\n<text><body>\n"
    yield from body(
        (_type(block), f' n="{escape(block.attributes.get("block", ""))}"', _tokens(block, places))
        for block in block_lines(document.lines)
    )
    yield "</body></text></TEI>\n"


def _type(block: BlockLines) -> str:
    """Returns the type of a block; where blocks do not say it, headings are those of the page's elements."""
    return block.attributes.get("type") or ("h" if block.attributes.get("heading") == "1" else "p")


def _tokens(block: BlockLines, places: Mapping[str, int]) -> Iterator[str]:
    tokens = list(block.tokens)
    for number, token in enumerate(tokens, start=1):
        form = token.columns[0]
        name = "w" if any(map(str.isalnum, form)) else "pc"
        space = " " if token.space_after and number < len(tokens) else ""
        attributes = {one: token.columns[place] for one, place in places.items() if place < len(token.columns)}
        marks = "".join(f' {one}="{escape(value)}"' for one, value in attributes.items() if value)
        yield f"<{name}{marks}>{escape(form)}</{name}>{space}"


def _date(kind: str, value: str) -> Iterator[str]:
    if value:
        yield f'<date type="{kind}" when="{value}">{value[:10]}</date>'


def pointer(url: str) -> str:
    """Returns an address as TEI's pointers have it (anyURI; RFC 3986), or "" if its beginning cannot be one's.

    Percent-encoded are: white space, `%` that encodes nothing, brackets behind the host, all but the first `#`. Other
    characters stand as they are.

    >>> pointer("http://a.example/sale?off=50%&x[]=1#b#c")
    'http://a.example/sale?off=50%25&x%5B%5D=1#b%23c'
    >>> pointer("http://a.example:80:90/")
    ''
    """
    url = _STRAY_PERCENT.sub("%25", "%20".join(url.split()))
    start = _BEGINNING.match(url)
    if not start:
        return ""
    path, hash_sign, fragment = url[start.end() :].partition("#")
    return start[0] + path.translate(_NOT_IN_PATHS) + hash_sign + fragment.translate(_NOT_IN_PATHS)


FORMAT = OutputFormat(
    "tei",
    "tei.xml.zst",
    "TEI P5, compressed: documents as TEI; headings, lists and paragraphs; tokens with lemma and pos of an annotator.",
    writer,
    writer,
)
