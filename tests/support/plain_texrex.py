"""texrex's blocks and features, written plainly: the twin of native/pages/texrex.cpp and texrex_text.cpp."""

import html
import math
import re
from dataclasses import dataclass

from corpusprep._native.unicode import LETTER, NUMBER, lower, unicode_class, upper, visible

BREAKS = "article blockquote div h1 h2 h3 h4 h5 h6 li p section td".split()
LEFT_OUT = "script style head applet code audio video title template svg".split()
CONTAINERS = ["article", "section", "div", "p", "h", "blockquote", "td", "li"]
PUNCTUATION = unicode_class(ord("!"))
NAME = re.compile(r"<([a-zA-Z/!?][^ \t\n\r\f>/]*)")
REST = re.compile(r"""(?:[^>"']|"[^"]*"|'[^']*')*+>""")
EMAIL = re.compile(r"[a0-9._-]+@[a0-9._-]+\.a{2,8}")
URI = re.compile(r"[a-zA-Z]{2,6}://[\w/%$&,=?~#.+:;-]+[\w/%$=?~#-]|[wW]{3}\.[\w/%$&,=?~#.+:;-]+[\w/%$=?~#-]", re.ASCII)
HASHTAG = re.compile("#[a-zA-Z0-9]*[a-zA-Z][a-zA-Z0-9]*")


@dataclass
class Div:
    """What stands between two tags that end blocks."""

    text: str
    raw: int
    opened: int
    closed: int
    anchors: int
    skipped: int
    container: str
    after_end_tag: bool


def tags(page: str, start: int = 0):
    """Yields (start, end, name) of each tag; a comment has the name `!--`; the caller may send where to go on."""
    quotes = True
    at = start
    while found := NAME.search(page, at):
        name = found[1].lower()
        if page.startswith("!--", found.start(1)) or name.startswith("![cdata["):
            name, end_of = ("!--", "-->") if name.startswith("!--") else ("![cdata[", "]]>")
            end = page.find(end_of, found.start(1) + len(name))
            end = len(page) if end < 0 else end + len(end_of)
        else:
            quoted = REST.match(page, found.end())
            plain = page.find(">", found.end()) + 1
            if not quotes or quoted is None:
                quotes = quotes and plain == 0
                end = plain or len(page)
            else:
                end = quoted.end()
        sent = yield found.start(), end, name[:32]
        at = end if sent is None else sent


def end_tag(page: str, name: str, start: int) -> int:
    """Returns where the end tag of a name begins; the page's end if there is none."""
    found = re.compile("</" + name, re.IGNORECASE | re.ASCII).search(page, start)
    return found.start() if found else len(page)


def head(page: str) -> tuple[int, str]:
    """Returns where the body begins, and the type of the document."""
    doctype, end_of_head = "", 0
    found = tags(page)
    at = None
    try:
        while True:
            start, end, name = found.send(at)
            at = end
            if name == "body":
                return end, doctype
            if name == "/head":
                end_of_head = end
            declared = page[start:end].lower()
            if name == "!doctype" and not doctype:
                doctype = next((one for one in ("xhtml 1", "html 4") if one in declared), "")
                if not doctype and declared[9:].strip(" \t\n\r\f>") == "html":
                    doctype = "html 5"
            elif name in ("script", "style"):
                at = end_tag(page, name, end)
            elif name == "title":
                at = end_tag(page, name, end)
                if at == len(page):
                    at = page.find("<", end) if "<" in page[end:] else len(page)
    except StopIteration:
        return end_of_head, doctype


def divs(page: str, start: int, forms: bool) -> list[Div]:
    """Returns the divs with text."""
    found: list[Div] = []
    text, any_text, until = "", False, ""
    opened = closed = anchors = skipped = 0
    container, after_end_tag, raw_start = "", False, start
    # The start of the body begins a block, too: texrex counts it as an empty one.
    skipped = 1
    reader = tags(page, start)
    at, sent, ended = start, None, False

    def put(part: str) -> None:
        nonlocal text, any_text
        any_text = any_text or bool(part.strip(" \t\n\r"))
        text += html.unescape(part)

    def new(name: str, end: int) -> None:
        nonlocal text, any_text, opened, closed, anchors, skipped, container, after_end_tag, raw_start
        if any_text:
            folded = " ".join(visible(" ".join(text.split())).split())
            raw = end - raw_start - 1
            found.append(Div(folded, raw, opened, closed, anchors, skipped, container, after_end_tag))
            opened = closed = anchors = skipped = 0
        else:
            skipped += 1
        text, any_text, raw_start = "", False, end
        after_end_tag = name.startswith("/")
        container = name.removeprefix("/")

    while True:
        try:
            first, end, name = reader.send(sent)
        except StopIteration:
            break
        if not until:
            put(page[at:first])
        at = sent = end
        opened, closed = opened + (name[0] != "/"), closed + (name[0] == "/")
        anchors += name[0] == "a"
        if name == "br" and not until:
            text += " "
        if name == "/body":
            ended = True
            break
        if name in ("script", "style"):
            until = until or "/" + name
            at = sent = end_tag(page, name, end)
        elif not until and (name in LEFT_OUT or (name == "form" and not forms)):
            until = "/" + name
        elif until == name:
            until = ""
        elif not until and name.removeprefix("/") in BREAKS:
            new(name, end)
    if not ended and not until:
        put(page[at:])
    new("", at if ended else len(page))
    return found


def classes(text: str, numbers: bool) -> str:
    """Returns the text with `a` for each letter, and, if asked for, `0` for each number, beyond ASCII."""
    shown = []
    for c in text:
        kind = unicode_class(ord(c))
        shown.append(c if c.isascii() else "a" if kind == LETTER else "0" if numbers and kind == NUMBER else "\0")
    return "".join(shown)


def uris_and_hashtags(text: str) -> tuple[int, int]:
    """Counts from left to right; an address may contain what looks like a hashtag."""
    plain = classes(text, numbers=True)
    at, uris, hashtags = 0, 0, 0
    while found := re.compile(f"(?P<uri>{URI.pattern})|(?P<sign>#[a-zA-Z0-9]*)", re.ASCII).search(plain, at):
        at = found.end()
        if found["uri"]:
            uris += 1
        else:
            hashtags += HASHTAG.fullmatch(found[0]) is not None
    return uris, hashtags


def window(shares: list[float | None], at: int) -> tuple[float, float]:
    """Returns the shares of markup with one and with two blocks on each side, as texrex adds them."""
    last = len(shares) - 1
    total = shares[at] or 0.0
    for side in (max(at - 1, 0), min(at + 1, last)):
        value = shares[side]
        total += total if value is None else value
    outer = 0.0
    for side, inside in ((at - 2, at > 1), (at + 2, at + 2 <= last)):
        value = shares[side if inside else 0 if side < at else last]
        if value is None:
            outer += total / 2
        else:
            outer = (outer if inside else 0) + value
    return total / 3, (total + outer) / 5


def features(page: str, forms: bool = True) -> list[tuple[str, list[int]]]:
    """Returns text and features of each block, in 2^-14."""
    start, doctype = head(page)
    all_divs = divs(page, start, forms)
    lengths = [len(div.text) for div in all_divs]
    shares: list[float | None] = [
        (max(div.raw, 1) - len(div.text)) / max(div.raw, 1) if div.text else None for div in all_divs
    ]
    shares.append(None)
    page_text = max(sum(lengths), 1)
    rows = []
    for i, div in enumerate(all_divs):
        if not div.text:
            continue
        text, length = div.text, len(div.text)
        letters = [c for c in text if unicode_class(ord(c)) == LETTER]
        big = sum(lower(c) != c for c in letters)
        small = sum(lower(c) == c and upper(c) != c for c in letters)
        dense = max(length - text.count(" "), 1)
        sentences = len(re.findall(r"[.?!](?= |$)", text))
        uris, hashtags = uris_and_hashtags(text)
        counts = [
            big + small,
            sum(unicode_class(ord(c)) == NUMBER for c in text),
            len(re.findall(r"<[A-Za-z!?/][^>]*>", text)),
            len(EMAIL.findall(re.sub("[a-zA-Z]", "a", classes(text, numbers=False)))),
            uris,
            hashtags,
            len(re.findall(r"[^0-9]20[01][0-9](?:[^0-9]|$)", text)),
            div.anchors,
        ]
        middle = (sum(lengths[:i]) + length / 2) / page_text
        place = i / (len(all_divs) + 1)
        container = "h" if re.fullmatch("h[1-6]", div.container) else div.container
        tag_count = div.opened + div.closed
        values = [
            min(length / 1000, 1),
            length / page_text,
            abs(middle - 0.5) * 2,
            abs(place - 0.5) * 2,
            page_text / max(len(page), 1),
            shares[i],
            sum(unicode_class(ord(c)) == PUNCTUATION for c in text) / length,
            *(count / dense for count in counts),
            big / (big + small) if big + small else 0,
            sentences == 0,
            min(length // max(sentences, 1) / 100, 1),
            min(max(sentences, 1) / 10, 1),
            "©" in text,
            text[-1] in ".?!",
            *(doctype == one for one in ("xhtml 1", "html 4", "html 5")),
            *(container == one for one in CONTAINERS),
            div.after_end_tag,
            div.opened / tag_count if tag_count else 0,
            min(div.skipped / 20, 1),
            *window(shares, i),
        ]
        whole = [max(-32767, min(32767, math.floor(float(value or 0) * 16384 + 0.5))) for value in values]
        rows.append((text, whole))
    return rows
