"""Which data are no page, whatever their content type."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpusprep.encoding.formats import other_format
from corpusprep.tables.verdicts import RECORD_REASONS

OTHERS = {
    "json": [
        b'{"a": 1}',
        b'\xef\xbb\xbf\n {\n "html": "<!DOCTYPE html><html><body>x</body></html>"}',
        b'[{"a": [1]}, 2]',
        b'["a", "b"]',
        b"[]",
        b"{}",
        b'{"a": {"b": "cut of',
        b')]}\',\n{"a": 1}',
        b'for (;;);{"a": 1}',
        b'{"a": 1}\n{"a": 2}\n',
    ],
    "feed": [
        b'<?xml version="1.0"?>\n<rss version="2.0"><channel><title>A</title>',
        b"<rss><channel>",
        b'<?xml version="1.0"?><!-- made by x --><?xml-stylesheet href="a"?><feed xmlns="http://www.w3.org/2005/Atom">',
        b'<rdf:RDF xmlns="http://purl.org/rss/1.0/">',
        b'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY nbsp "&#160;">]><rss>',
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url>',
    ],
    "script": [
        b"(function(a, b) { return a; })();",
        b"/* (c) x */\n!function(e){e.x=1}(window);",
        b"// x\n'use strict';",
        b"var a = {};",
        b"const {a, b} = c;",
        b"window.dataLayer = window.dataLayer || [];",
        b'window["x"].y = 1',
        b"document.write('<p>x</p>');",
        b'jQuery.callback123({"a": 1});',
        b"/**/ cb([{}])",
        b"$(document).ready(function () {});",
        b"import a from './a.js';",
        b"export default {};",
        b"(() => { a(); })();",
        b"async function main() { }",
        b"if (typeof x === 'undefined') { }",
    ],
    "style_sheet": [
        b'@charset "utf-8";\nbody { margin: 0 }',
        b"/* x */ @import url(a.css);",
        b"body{margin:0;padding:0}",
        b"a:hover, .b > c { color: red; }\n#d [e=f] { top: 1px }\n",
        b"@media screen and (min-width: 1px) { a { b: c } }",
        b":root { --a: 1px; }",
    ],
    "pdf": [b"%PDF-1.7\n", b"\n\n%PDF-1.4", b"%!PS-Adobe-3.0"],
    "image": [
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"\xff\xd8\xff\xe0",
        b"RIFF\x10\0\0\0WEBPVP8 ",
        b"\0\0\0\x1cftypavif",
        b"\0\0\1\0\1\0",
        b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>\n',
        b'<!DOCTYPE svg PUBLIC "a" "b"><svg></svg>',
    ],
    "not_text": [b"PK\x03\x04", b"RIFF\x10\0\0\0WAVEfmt ", b"\x1f\x8b\x08", b"{\\rtf1\\ansi", b"\xd0\xcf\x11\xe0"],
}
PAGES = [
    b"",
    b"<p>{}",
    b"<!DOCTYPE html><title>rss</title>",
    b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="http://www.w3.org/1999/xhtml">',
    b"<svg><path/></svg><p>Text",
    b"<!-- x --><html>",
    b"[1] The ferry is back.",
    b"[1]",
    b"{{ title }}",
    b"Let x = 1 be a number. Then var = 2.",
    b"Import of the goods; export of others {see below}.",
    b"Note: a:b {c}",
    b"var god, titta",
    b"function of the heart",
    b"e.g. = for example",
    b"(see above) it is",
    b"call(me)",
    b'{"error": "no session"}\n<!DOCTYPE html><html><body><p>Text',
    b'{"error": "no session"}<html><body><p>Text',
    b"var a = 1;\n  <html><body><p>Text",
    b"body { a: b }\n<HTML>\n<p>Text",
    b"/* x */ The ferry.",
    b"// The ferry.",
    b"Gifts and pictures",
    b"%d pages",
    "Příliš žluťoučký kůň.".encode(),
]


@pytest.mark.parametrize(("verdict", "data"), [(verdict, data) for verdict, many in OTHERS.items() for data in many])
def test_other_formats_are_named(verdict: str, data: bytes) -> None:
    """The verdict is one of the ledger; so is that of the data with something behind them."""
    assert verdict in RECORD_REASONS
    found = other_format(data)
    assert found is not None
    assert found.verdict == verdict


@pytest.mark.parametrize("data", PAGES)
def test_pages_and_texts_are_none(data: bytes) -> None:
    """Markup, prose that begins like code, and a page behind the output of a program."""
    assert other_format(data) is None


@given(st.recursive(st.none() | st.integers() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_any_json_object_is_one(value: object) -> None:
    """Objects of any shape, also in an array."""
    for data in ({"a": value}, [{"a": value}], [1, value]):
        found = other_format(json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
        assert found is None or found.verdict == "json"
        assert found is not None or "<" in str(value)


@pytest.mark.parametrize(
    "data",
    [
        b"{" * 1_000_000,
        b"[" * 1_000_000,
        b'{"a":' + b"\n" * 1_000_000,
        b"[" + b"1," * 1_000_000 + b"]",
        b"/*" * 500_000,
        b"a " * 500_000,
        b"a{b:" + b"c" * 1_000_000,
        b"<!--" * 250_000,
        b"<?" * 500_000,
        b"<!DOCTYPE x [" * 80_000,
        b" " * 1_000_000,
        b"a." * 500_000 + b"=",
        b"((((((" * 100_000,
    ],
)
def test_hostile_data_take_linear_time(data: bytes) -> None:
    """A megabyte takes at most a fraction of a second."""
    start = time.process_time()
    other_format(data)
    assert time.process_time() - start < 0.5
