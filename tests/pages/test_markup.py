"""Bounds on the work that one page can cause in the parser."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from lxml import etree

from corpusprep._native.markup import DEEPEST, MOST_ATTRIBUTES, costly_markup, joined_markup, lean_markup, plain_markup
from corpusprep.cleaners.content.cleaner import Content
from corpusprep.pages import html
from corpusprep.pages.metadata import marks_of
from corpusprep.pages.segmentation import Blocks, Segmenter

MANY = 4 * MOST_ATTRIBUTES


def words(form: str, number: int = MANY) -> str:
    """A text with numbered parts."""
    return "".join(form.replace("#", str(i)) for i in range(number))


def blocks_of(root: etree._Element | None) -> Blocks:
    """The blocks of a tree."""
    segmenter = Segmenter({"the", "of"}, structure=True)
    segmenter.add(root)
    return segmenter.take()


def texts(markup: str) -> list[str]:
    """The texts of the blocks of a page."""
    return blocks_of(html.parse(markup)).texts()


def parsed(page: bytes) -> etree._Element | None:
    """What the parser makes of a page without any care: a twin of html.parse for pages that need none."""
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root: etree._Element | None = etree.fromstring(page, parser)
    except etree.XMLSyntaxError:
        return None
    return root


def most_attributes(root: etree._Element) -> int:
    """The attributes of the element that has most."""
    return max(len(element.attrib) for element in root.iter())


def depth(root: etree._Element) -> int:
    """The elements around and in the deepest one."""
    deepest = here = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        here += 1 if event == "start" else -1
        deepest = max(deepest, here)
    return deepest


#: Tags with many attributes, and what begins like one where another version of the parser may see a tag.
ATTRIBUTES = {
    "names": words("w# "),
    "values": words("w#='a b' "),
    "unquoted-values": words("w#=a "),
    "values-with-gt": words('w#=">" '),
    "without-space": words("w#='>'"),
    "slashes": words("/w#"),
    "same-name": "w " * MANY,
    "after-a-name-with-equals": '="' + words(" w#"),
    "lines": words("w#\n=\n'>'\r\n"),
    "form-feeds": words("w#\f"),
}
BEFORE = {
    "text": "<p>x",
    "comment": "<!-- ",
    "bogus-comment": "<! ",
    "script": "<script>",
    "textarea": "<textarea>",
    "iframe": "<iframe>",
    "value": '<p a="',
    "doctype": "<!doctype html ",
}


@pytest.mark.parametrize("attributes", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_a_tag_keeps_few_attributes(attributes: str) -> None:
    """The parser compares each attribute with all before it, so only the first are given to it."""
    root = html.parse(f"<p>before <x {attributes}>inside</x> after<p>next")
    assert root is not None
    assert most_attributes(root) <= MOST_ATTRIBUTES
    assert blocks_of(root).texts() == ["before inside after", "next"]


def test_text_after_a_lone_less_than_is_that_of_a_browser() -> None:
    """Up to the next ">" it is a tag; the text after that stays."""
    assert texts(f"<p>if a <b {words('w# ')}<p>y</p>z") == ["if a y", "z"]


@pytest.mark.parametrize("attributes", ATTRIBUTES.values(), ids=ATTRIBUTES)
@pytest.mark.parametrize("before", BEFORE.values(), ids=BEFORE)
def test_many_attributes_are_seen_everywhere(before: str, attributes: str) -> None:
    """Also where this version of the parser sees no tag: another one may."""
    assert costly_markup(f"{before}<x {attributes}>".encode())
    assert costly_markup(f"{before}<x {attributes}".encode())


SEPARATORS = [" ", "\n", "/", "  /", "\f", ""]
NAMES = ["w#", 'w#"', "w#'", "=w#", "<w#", "w#<b", "é#"]
VALUES = ["", "=", "=a", "='>'", '=">"', "= 'a b'", '\n=\t"\'"', "='<i>'", "=a/b", "=/", '=a"b']


@given(
    st.lists(
        st.tuples(st.sampled_from(SEPARATORS), st.sampled_from(NAMES), st.sampled_from(VALUES)), min_size=1, max_size=4
    )
)
def test_what_the_parser_takes_for_many_attributes_is_seen(shapes: list[tuple[str, str, str]]) -> None:
    """For any mixture of separators, names, values and quotes."""
    unit = "".join(itertools.chain.from_iterable(shapes))
    page = f"<x {words(unit, 2 * MOST_ATTRIBUTES)}>".encode()
    root = parsed(page)
    assert root is None or most_attributes(root) <= MOST_ATTRIBUTES or costly_markup(page)


PARTS = [b"a", b"=", b'"', b"'", b">", b" ", b"/", b"<x ", b"b=", b'="x"', b"='y'", b' c="', b" d" * 255]


@given(st.lists(st.sampled_from(PARTS), max_size=20), st.integers(1, 30))
def test_attributes_are_counted_in_any_markup(parts: list[bytes], times: int) -> None:
    """As by looking at each byte, for tags that end at the first ">" and others."""
    page = b"<x " + b"".join(parts) * times
    starts = [found.end() for found in re.finditer(rb"<(?=[a-z])", page)]
    tags = [attributes_from(page, start) for start in starts]
    # Tags that contain many others make a page costly, too.
    assume(sum(end - start for start, (_, end) in zip(starts, tags, strict=True)) < 4 * len(page))
    assert costly_markup(page) == any(attributes > MOST_ATTRIBUTES for attributes, _ in tags)


def attributes_from(page: bytes, place: int) -> tuple[int, int]:
    """Returns how many attributes, up to MOST_ATTRIBUTES + 1, the tag whose name begins at `place` has, and its end."""

    def skip(place: int, bytes_: bytes, *, while_in: bool) -> int:
        while place < len(page) and (page[place] in bytes_) == while_in:
            place += 1
        return place

    space = b" \t\n\f\r"
    place, found = skip(place, space + b"/>", while_in=False), 0
    while found <= MOST_ATTRIBUTES:
        place = skip(place, space + b"/", while_in=True)
        if place >= len(page) or page[place : place + 1] == b">":
            break
        found += 1
        place = skip(skip(place + 1, space + b"/>=", while_in=False), space, while_in=True)
        if page[place : place + 1] != b"=":
            continue
        place = skip(place + 1, space, while_in=True)
        if page[place : place + 1] in (b'"', b"'"):
            end = page.find(page[place : place + 1], place + 1)
            place = len(page) if end < 0 else end + 1
        else:
            place = skip(place, space + b">", while_in=False)
    return found, place


def test_few_attributes_are_left_as_they_are() -> None:
    """Long values, long texts without tags, and scripts do not make a page costly."""
    prose = "if a < b and c <d, then " * 30
    script = "<script>for(i=0;i<n;i++){}</script>"
    page = f'<img src="data:{"x" * 100_000}" alt="a > b"><p title="{prose}">{prose}{script}'
    assert not costly_markup(page.encode())


@pytest.mark.parametrize(
    "unit",
    ["</i>", "</b>", "</x>", "</i>a", "</p>", "<b></i>", "</td>"],
    ids=["blocked", "b", "x", "text", "p", "b-i", "td"],
)
def test_end_tags_that_end_nothing_are_not_given_to_the_parser(unit: str) -> None:
    """For each, it would search all open elements."""
    page = f"<i><table>{'<b>' * 250}{unit * 2000}".encode()
    assert costly_markup(page)
    ends = plain_markup(page).count(b"</")
    assert ends <= plain_markup(page).count(b"<") - ends


@pytest.mark.parametrize("size", [1000, 4000])
def test_end_tags_of_elements_nested_deeply_are_few(size: int) -> None:
    """The parser reports none that it did not expect, so it has searched for none in vain."""
    page = "<div>" * 300 + "</x>y</b>" * size
    html.parse(page)
    parser = html._parsers.huge
    assert len(parser.error_log) == 0


@pytest.mark.parametrize(
    "unit", ["<div>", "<b>", "<x>", "<a>", "<table><tr><td>", "<ul><li>", "<font><p>", "<o:p>", "<i><div/>", "</x><em>"]
)
@pytest.mark.parametrize("number", [300, 3000, 30_000])
def test_text_is_kept_however_deep(unit: str, number: int) -> None:
    """Text before, at the bottom, and after elements that are nested more deeply than the parser accepts."""
    root = html.parse(f"<p>before</p>{unit * number}deep<p>deeper</p>deepest<hr>{'</div>' * number}after")
    assert root is not None
    found = " ".join(blocks_of(root).texts())
    assert found.split() == ["before", "deep", "deeper", "deepest", "after"]
    assert depth(root) <= DEEPEST + 4


def test_borders_of_blocks_are_kept_below_the_deepest_element() -> None:
    """Elements become siblings; their borders still separate blocks, and end tags find their start tags."""
    inside = "<ul><li>one<li>two <b>three</b> four</ul>five<p>six</p>"
    found = texts("<div>" * (DEEPEST + 100) + inside + "</div>seven" * 200 + "</div>" * DEEPEST + "<p>end")
    assert found == ["one", "two three four", "five", "six", *["seven"] * 200, "end"]


def test_links_are_kept_below_the_deepest_element() -> None:
    """And what is removed stays removed, with what is in it."""
    inside = "<p>one <b><a>two <i>three</i><a>four</a></b> five</p><svg><g>six<p>seven</p></svg><template>x</template>"
    blocks = blocks_of(html.parse("<div>" * (DEEPEST + 1) + inside + "<select><option>eight"))
    assert blocks.texts() == ["one two threefour five", "eight"]
    assert blocks.link_words.tolist() == [2, 0]


def test_the_parse_of_a_plain_page_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version of the parser with lower limits gives a verdict, not half a page."""
    monkeypatch.setattr(html._parsers, "huge", html._parsers.usual)
    with pytest.raises(html.PageError, match="xcessive depth") as error:
        html.parse("<div>" * 1000)
    assert error.value.verdict == "parse_failed"


def test_a_title_without_an_end_is_found_in_linear_time() -> None:
    """Only the first <title is looked at."""
    assert html._open_title("<title " * 100_000) is None
    assert html._open_title("<title " * 1000 + ">t<p>") == 7 * 1000 + 2


INLINE = "<a> </a> <b> </b> <br> <i/> the of x &amp; &lt &am p; </x> </br> < & <1 </ > </> <x-y> <P".split()
BORDERS = (
    "<p> </p> <div> </div> <select> </select> <option> <h1> </h1> <li> <table> <td> </td> </table> <form> <font> <span>"
    " <center> <dl> <dt> <dd> <ul> </ul> <ol> <hr> <address> <pre> <fieldset> <legend> <p/> <caption> <col> <tr>"
).split()
WHOLE = "<html> </html> <head> </head> <body> </body> <body/> <title> </title> <meta> <frameset> <frame> <noframes>"
RAW = (
    "<script> </script> <style> </style> <textarea> </textarea> <iframe> </iframe> <xmp> </xmp> <plaintext> <!-- -->"
    " --!> <!--> <!---> <!doctype <!x <?x <![CDATA[ ]]> </script/ <SCRIPT"
).split()
OTHERS = [" ", "\n", "\0", "\r", " a=b", " a='>'", ' a="', "' ", ">", "/>", "é", "=", "<p<b>", '<b"c>', "\ufeff"]


@given(st.lists(st.sampled_from([*INLINE, *BORDERS, *WHOLE.split(), *RAW, *OTHERS]), max_size=40).map("".join))
@example("<frameset><")
@example("<frameset>a< b<frame>< c")
@example("</<a>\ufeff</html>\0")
@example("<!-- x -->\ufeffa")
@example("\ufeff<head>a")
@example("<frameset>a<p")
def test_plain_markup_has_the_same_blocks(markup: str) -> None:
    """Whatever the parser makes of a page, it makes of the plainer one."""
    page = markup.encode()
    expected, found = blocks_of(parsed(page)), blocks_of(parsed(plain_markup(page)))
    assert found.texts() == expected.texts()
    for column in ("tags", "flags", "words", "link_words", "alphabetic_words", "stop_words"):
        assert getattr(found, column).tolist() == getattr(expected, column).tolist()
    assert found.structure is not None
    assert expected.structure is not None
    if len(expected):  # the parser makes <html> of a start tag in which a page ends
        assert found.structure.element_ends.tolist() == expected.structure.element_ends.tolist()


NESTED = (
    "a abbr address b big blockquote body br caption center col colgroup dd dir div dl dt em fieldset font form frame"
    " frameset h1 h2 head hr html i img legend li link listing menu meta noframes ol optgroup option p pre s select"
    " small span strike table tbody td tfoot th thead title tr tt u ul var x"
).split()


def test_the_rules_of_open_elements_are_the_parsers() -> None:
    """For all pairs of names: what the second tag ends, and what end tags end across it."""
    for outer, inner in itertools.product(NESTED, repeat=2):
        page = f"<b><{outer}>1<{inner}>2</{outer}>3</b>4</{inner}>5".encode()
        assert blocks_of(parsed(plain_markup(page))).texts() == blocks_of(parsed(page)).texts(), page
        names = [[str(e.tag) for e in parsed(p).iter()] for p in (page, plain_markup(page))]  # type: ignore[union-attr]
        assert names[0] == names[1], page


ATTRIBUTE_PARTS = (
    r"""href='x'|href=x|href=x/|href=/x|class="c d"|class=c|class=c/|CLASS='A'|id=i|style='display:none'|style=x|"""
    r"""width=1|width="1"|alt="a>b"|alt='<p>'|hidden|checked|/|=|=="a"|a = 'b'|a= b|a ="c"|"|'|""|''|@x="y"|"""
    r"""@x="y z"|:x='{a: b}'|[x]="y"|x.y="1"|data-a="{"b":1}"|rel=license|rel="nofollow"|rel=canonical|"""
    r"""rel='me author'|é=1|é=1/|x"="y|a"b|;|-x=1|.x=1|_x=1|x=`a`|x=a"b|x=a'b|x=&quot;|role=main|"""
    r"""type='application/ld+json'|type=a&#47;ld+js&#111;n|content=x|aria-hidden=true|itemprop=author|"""
    r"""datetime=2011|lang=cs|name=author|name=x|name|href|onclick="a('b')"|nowrap"""
).split("|")
TAG_NAMES = (
    "a b p div td span img input meta link script style iframe title textarea noscript html head body table x-y o:p"
    " time A IMG br"
).split()
START_TAGS = st.tuples(
    st.sampled_from(TAG_NAMES),
    st.lists(st.tuples(st.sampled_from([" ", " ", " ", "", "\n", "/ "]), st.sampled_from(ATTRIBUTE_PARTS)), max_size=5),
    st.sampled_from([">", ">", ">", "/>", " />", "/ >", "", "\f>"]),
).map(lambda tag: f"<{tag[0]}{''.join(itertools.chain.from_iterable(tag[1]))}{tag[2]}")
ANY_MARKUP = st.lists(
    st.one_of(START_TAGS, st.sampled_from([*INLINE, *BORDERS, *WHOLE.split(), *RAW, *OTHERS])), max_size=16
).map(lambda parts: "".join(parts).encode())
#: Attributes that kernels read, of any element and of all kinds of values.
READ = frozenset("class id itemprop itemtype role hidden content datetime aria-hidden".split())


def read_of(element: etree._Element) -> dict[str, str]:
    """The attributes of an element that kernels read; of a place to link to, whether it has an address."""
    found: dict[str, str] = {}
    for name, value in element.items():
        found.setdefault(str(name), str(value))
    if element.tag in {"html", "meta", "time", "template"}:
        return found
    rel, style = found.get("rel", ""), found.get("style", "")
    page = "license" in rel or "canonical" in rel
    wanted = set(READ)
    wanted |= {"rel"} if page or "author" in rel else set()
    wanted |= {"href"} if page and element.tag in {"a", "link"} else set()
    wanted |= {"style"} if "none" in style or "hidden" in style else set()
    wanted |= {"type"} if "json" in found.get("type", "") and element.tag == "script" else set()
    named = element.tag == "a" and ("id" in found or "name" in found)
    linked = {"linked": str("href" in found)} if named else {}
    return linked | {name: value for name, value in found.items() if name in wanted}


def text_of(element: etree._Element) -> str | None:
    """The text at the beginning of an element, if kernels read it."""
    code = element.tag == "style" or (element.tag == "script" and "json" not in (element.get("type") or ""))
    return None if code else element.text


def read(page: bytes) -> list[tuple[object, ...]]:
    """What kernels read of the tree of a page."""
    root = parsed(page)
    elements = [] if root is None else list(root.iter())
    return [
        (one.tag, one.tail, text_of(one), {name: value for name, value in read_of(one).items() if name != "type"})
        for one in elements
    ]


PAGE_ENDS = (
    """</body>|</HTML>|</html\n>|</body/>|</body a>|</html <p>|</bodyx>|</body|a='|</body a='>'>|<p a='</body>'>|"""
    """<p class='</body>' title=x>|<p </html>|<title>|a</title>|<script type=json>|</script>|<!--|-->|"""
    """<p class=a</body>|<!x </html>|\0|<p>a</p>|"""
    """a<|<!--x--|<!|<html/>|<HEAD />|<body|class=k|title='x' |\n/>|= />|=a/>|='<body/>'/>"""
).split("|")
#: A start tag of <html>, <head> or <body> up to its "/>"; without one in a value.
PAGE_START = re.compile(
    rb"""(?i)(<(?:html|head|body)(?=[>/ \n\t\r\f])(?:[^<>"'=]|"""
    rb"""=[ \n\t\r\f]*(?:"[^<>"]*"|'[^<>']*'|[^<>"'\x00-\x20][^<>\x00-\x20]*(?=[\x00-\x20])))*?)/>"""
)


@given(st.lists(st.sampled_from(PAGE_ENDS), max_size=8).map("".join))
def test_the_ends_of_a_page_are_left_out(markup: str) -> None:
    """End tags of <body> and <html> without quotation marks, and the "/" of start tags; also from lean markup.

    But not behind what could become a tag or a comment with the text that follows.
    """
    page = markup.encode()
    end = rb"""(?i)(?<!<)(?<!<!)(?<!!-)(?<!--)(?<!-!)</(?:body|html)(?=[>/ \n\t\r\f])[^<>"']*>"""
    joined = re.sub(end, b"", PAGE_START.sub(rb"\1>", page))
    assert joined_markup(page) == joined
    assert read(lean_markup(page)) == read(joined)


@given(ANY_MARKUP)
@example(b"<p rel=a rel=license style=x style='display:none'>")
@example(b"<div class=c width=1/><p>x")
@example(b"<td width='1'class=c><td a='b'width='1'>")
@example(
    b"<a id=x href = 'y'>a<a href=y id='x'>b<a href='y'name=x>c<a name=x href=y/>d<a name='x'/><a id=x @x=a href=y>"
)
@example(b"<iframe><p title=x></iframe><script><p width=1></script><b alt=y>")
def test_lean_markup_has_the_same_tree(page: bytes) -> None:
    """But for attributes that are not read, and scripts and styles."""
    lean = lean_markup(page)
    assert len(lean) <= len(page)
    assert read(lean) == read(joined_markup(page))


def test_attributes_comments_and_code_are_left_out() -> None:
    """Of an ordinary page; data in scripts, and links to a licence, stay. Of places to link to, the name does."""
    page = (
        '<!DOCTYPE html "x"><html lang=en><head><meta name="author" content="A"><link rel=stylesheet href="s.css">'
        "<style>p > a {}</style><script src=x.js>if (a < b) '<p>';</script><script type='ld+json'>{}</script>"
        "<body onload='x()'><!-- <p> --><a\n href='/u' class=\"c\" rel=nofollow>a</a><img src=x alt='>' / title=y>"
        "<p style='color: red' width=1>b<p style='display: none'>c<a href=l rel=license>d<br clear=all />"
        "<a class=k name=n title=t>e<a id=i href = 'u' title=t>f</a>"
        "<time datetime=1 z><td width='1'class=k width='2'/>"
    )
    lean = (
        '<!DOCTYPE html "x"><html lang=en><head><meta name="author" content="A"><link>'
        "<style></style><script></script><script type='ld+json'>{}</script>"
        '<body><!----><a class="c">a</a><img>'
        "<p>b<p style='display: none'>c<a href=l rel=license>d<br />"
        "<a class=k name=n >e<a id=i href>f</a>"
        "<time datetime=1 z><td class=k />"
    )
    assert lean_markup(page.encode()) == lean.encode()


@pytest.mark.parametrize(
    "unsure",
    [
        *("<!-->", "<!--->", "<!-- --!>", "<!-- ", "<p a=\fb>", "<p\f>", "<p/a>", "<p a=>", "<p =a>", "<p a='", "\0"),
        *("<plaintext>", "<title>", "<title/>", "<iframe></iframe/>", "<iframe><script></script></iframe>"),
        *("<script>", "<script/>", "<script></scripts>", "<script><p></script>", "<script><!-- <script></script>"),
        *("<p é='a b'>", "<p é=a/>", "<p é='a'b>", f"<{'p' * 65}>", f"<p {'p' * 65}>", f"<p {'a ' * 257}>"),
        *("</p a='>'>", "<? <p>", "<!x '>"),
    ],
)
def test_markup_that_versions_may_read_in_different_ways_stays(unsure: str) -> None:
    """And so does all behind it."""
    assert lean_markup(f"<p title=x>a{unsure}<p title=x>".encode()) == f"<p>a{unsure}<p title=x>".encode()


@pytest.mark.data
@pytest.mark.parametrize("name", ["cleaneval", "canola", "wcxb-dev", "fundus-train"])
def test_lean_markup_of_real_pages_has_the_same_scores(unpacked: Callable[[str], Path], name: str) -> None:
    """And the same metadata; of every twentieth page."""
    files = sorted(unpacked(name).rglob("*.html"))[::20]
    assert files
    model = Content().block_model
    for path in files:
        page = path.read_bytes().decode("utf-8", "replace").encode()
        roots = [parsed(joined_markup(page)), parsed(lean_markup(page))]
        segmenter = Segmenter((), structure=True, features=True, model=model)
        for root in roots:
            segmenter.add(root)
        blocks = segmenter.take()
        assert blocks.features is not None
        assert blocks.features.scores is not None
        texts, scores = blocks.texts(), blocks.features.scores.tolist()
        middle = len(texts) // 2
        assert (texts[middle:], scores[middle:]) == (texts[:middle], scores[:middle]), path.name
        assert marks_of(roots[1]) == marks_of(roots[0]), path.name


@pytest.mark.data
@pytest.mark.parametrize("name", ["cleaneval", "canola"])
def test_plain_markup_of_real_pages_has_the_same_blocks(unpacked: Callable[[str], Path], name: str) -> None:
    """Every twentieth page of a gold set."""
    files = sorted(unpacked(name).rglob("*.html"))[::20]
    assert files
    for path in files:
        page = path.read_bytes().decode("utf-8", "replace").encode()
        expected, found = blocks_of(parsed(page)), blocks_of(parsed(plain_markup(page)))
        assert (found.texts(), found.tags.tolist()) == (expected.texts(), expected.tags.tolist()), path.name
