"""The marks of a page in plain Python: the oracle of native/pages/page_metadata.hpp."""

from collections.abc import Iterator

from lxml import etree

from corpusprep.pages.metadata import META_NAMES

AUTHOR_CLASSES = {
    *("article-author", "article-author-name", "article-byline", "article__author", "author", "author-link"),
    *("author-name", "author__name", "authorname", "autor", "byline", "byline-author", "byline-name"),
    *("byline__author", "byline__name", "c-byline__author", "entry-author", "fn", "p-author", "post-author"),
    *("posted-by", "vcard"),
}
MOST_MARKS, LONGEST_VALUE, LONGEST_SCRIPT, SCRIPT_BYTES = 200, 4096, 1 << 18, 1 << 19
LONGEST_KEY, LONGEST_AUTHOR, MOST_AUTHORS, MOST_TIMES = 80, 200, 8, 24
SPACE = " \n\t\r\f"
SKIPPED = ("script", "style", "svg", "template")
Mark = tuple[str, str, str]


def marks(root: etree._Element) -> list[Mark]:
    """The marks below an element, in document order."""
    found: list[Mark] = []
    scripts = authors = times = 0
    for element in elements(root):
        of = {name: element.get(name) or "" for name in ("rel", "itemprop", "class", "datetime", "content", "href")}
        has = element.attrib.keys()
        made: list[Mark] = []
        if element.tag == "meta":
            names = [element.get(name, "").strip(SPACE) for name in ("property", "name", "itemprop", "http-equiv")]
            known = [low for name in names if size(name) <= LONGEST_KEY and (low := lowered(name)) in META_NAMES]
            made += [("meta", known[0], of["content"])] if known and "content" in has else []
        elif element.tag == "link":
            made += [("link", rel, of["href"]) for rel in ("canonical", "license") if rel in words(of["rel"])]
        elif element.tag == "html":
            made.append(("language", "lang", element.get("lang") or ""))
        elif element.tag == "script":
            kind = lowered(element.get("type", "").strip(SPACE))
            text = element.text or ""
            room = size(text) <= LONGEST_SCRIPT and scripts + size(text) <= SCRIPT_BYTES and len(found) < MOST_MARKS
            if kind.startswith("application/ld+json") and text and room:
                scripts += size(text)
                found.append(("script", "", text))
        else:
            if element.tag == "a" and "license" in words(of["rel"]):
                made.append(("link", "license", of["href"]))
            for date in ("datepublished", "datemodified"):
                if date in words(of["itemprop"]):
                    made.append(("item_date", date, of["content"] if "content" in has else of["datetime"]))
            if element.tag == "time":
                if "datetime" in has:
                    times += 1
                    key = ("pubdate " if "pubdate" in has else "") + of["class"]
                    made += [("time", key, of["datetime"])] if times <= MOST_TIMES else []
            else:
                marked = "author" in words(of["itemprop"]) or "author" in words(of["rel"])
                if authors < MOST_AUTHORS and (marked or AUTHOR_CLASSES & set(words(of["class"]))):
                    text = text_inside(element)
                    if size(text) <= LONGEST_AUTHOR and text.strip(SPACE):
                        authors += 1
                        made.append(("author", "author" if marked else "class", text))
        for kind, key, value in made:
            if value.strip(SPACE) and len(found) < MOST_MARKS:
                found.append((kind, lowered(cut(key, LONGEST_KEY)), cut(value.strip(SPACE), LONGEST_VALUE)))
    return found


def elements(root: etree._Element) -> Iterator[etree._Element]:
    """All elements, without those inside of elements whose content is no text."""
    if isinstance(root.tag, str):
        yield root
        if root.tag not in SKIPPED:
            for child in root:
                yield from elements(child)


def text_inside(element: etree._Element) -> str:
    """The text of an element, with a space where a child with content begins."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and child.tag not in SKIPPED and (child.text or len(child)):
            parts += [" ", text_inside(child)]
        parts.append(child.tail or "")
    return "".join(parts)


def words(text: str) -> list[str]:
    """The words of an attribute, in lower case."""
    return lowered(text).translate(str.maketrans(SPACE, " " * len(SPACE))).split(" ")


def lowered(text: str) -> str:
    """ASCII letters in lower case."""
    return "".join(character.lower() if character.isascii() else character for character in text)


def size(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text.encode())


def cut(text: str, longest: int) -> str:
    """The first bytes of a text, without a part of a character."""
    return text.encode()[:longest].decode("utf-8", "ignore")
