"""Reads what pages say about themselves in JSON-LD, with the vocabulary of schema.org.

Pages write this JSON by hand and by template: it can be wrong, deep, cyclic by its ids, or large. The kernel bounds
its bytes (native/pages/page_metadata.hpp); here its objects are bounded.
"""

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

#: Objects of a page that are looked at, and their depth.
MOST_OBJECTS, DEEPEST = 2000, 12
_ARTICLE = re.compile(
    r"(article|posting|report|review|story|recipe|guide|scholarly|question|howto|course|product)$", re.I
)
_PAGE = re.compile(r"page$|^(creativework|videoobject|audioobject|podcastepisode|event|book|movie)$", re.I)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_LONGEST = 2048

Node = dict[str, Any]


class LinkedData:
    """The objects of a page's scripts that say something of the page, the best first."""

    def __init__(self, scripts: Sequence[str]) -> None:
        """Reads scripts; one that is not JSON is left out."""
        nodes = [node for script in scripts for node in _nodes(_json(script))]
        self._ids = {
            name: node for node in reversed(nodes) if isinstance(name := node.get("@id"), str) and len(node) > 1
        }
        articles = [node for node in nodes if any(map(_ARTICLE.search, types(node)))]
        # Teasers and comments are articles with less: that with most of what an article has comes first.
        self._articles = sorted(articles, key=lambda node: -sum(key in node for key in _TELLING))
        self._pages = [node for node in nodes if any(map(_PAGE.search, types(node)))]
        self._sites = [node for node in nodes if "WebSite" in types(node)]
        self.main = [*self._articles[:1], *self._pages[:1]]

    def text(self, *keys: str) -> str:
        """Returns the first value of the keys, as text, of the objects that describe the page."""
        for node in self.main:
            for key in keys:
                if text := self._text(node.get(key)):
                    return text
        return ""

    def names(self, key: str) -> list[str]:
        """Returns the names of persons or organisations under a key."""
        for node in self.main:
            if names := [name for value in _listed(node.get(key)) for name in self._names(value)]:
                return list(dict.fromkeys(names))
        return []

    def publisher(self) -> str:
        """Returns the name of the site, or else of the publisher."""
        for node in self._sites:
            if name := self._text(node.get("name")):
                return name
        return next(iter(self.names("publisher")), "")

    def type(self) -> str:
        """Returns the type of the object that describes the page best."""
        return next((name for node in self.main for name in types(node)), "")

    def _text(self, value: Any) -> str:
        for item in _listed(value):
            if isinstance(item, dict):
                item = self._known(item)
                item = next(
                    (item[key] for key in ("@value", "name", "url", "@id") if isinstance(item.get(key), str)), None
                )
            if isinstance(item, str) and (text := _plain(item)):
                return text
        return ""

    def _names(self, value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            value = self._known(value)
            for name in _listed(value.get("name")):
                if isinstance(name, str) and _plain(name):
                    yield _plain(name)
        elif isinstance(value, str) and _plain(value):
            yield _plain(value)

    def _known(self, node: Node) -> Node:
        """Returns an object, or that which it names by its id alone."""
        return (
            self._ids.get(node["@id"], node)
            if set(node) <= {"@id", "@type"} and isinstance(node.get("@id"), str)
            else node
        )


_TELLING = ("headline", "datePublished", "author", "articleBody", "dateModified", "publisher", "mainEntityOfPage")


def types(node: Node) -> list[str]:
    """Returns the types of an object, without their vocabulary."""
    listed = _listed(node.get("@type"))
    return [_encodable(name.rpartition("/")[2]) for name in listed if isinstance(name, str) and name[:100] == name]


def _plain(text: str) -> str:
    return " ".join(html.unescape(_encodable(text[:_LONGEST])).split())


def _encodable(text: str) -> str:
    r"""Returns text without lone surrogates, which an escape of JSON (`\ud800`) can make: no table can store them."""
    return text if text.isascii() else text.encode("utf-8", "ignore").decode()


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value[:50] if isinstance(value, list) else [value]


def _json(script: str) -> Any:
    """Returns what a script says; None if it cannot be read."""
    text = script
    if script.lstrip()[:1] not in ("{", "["):
        # Comments and marks of CDATA may stand around it.
        text = script.partition("[CDATA[")[2] or script
        text = text[min((place for mark in "{[" if (place := text.find(mark)) >= 0), default=0) :].replace("]]>", "")
        text = text[: text.rfind("}" if text[:1] == "{" else "]") + 1]
    for attempt in (text, _TRAILING_COMMA.sub("", text)):
        try:
            # Digits beyond what fits are cut: a long number would take quadratic time.
            return json.loads(attempt, strict=False, parse_int=_number, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            continue
    return None


def _number(digits: str) -> int:
    return int(digits[:18])


def _nodes(value: Any) -> Iterator[Node]:
    """Yields the objects with a type, outer ones first."""
    waiting: list[tuple[Any, int]] = [(value, 0)]
    seen = 0
    for node, depth in waiting:  # grows while it is read
        seen += 1
        if seen > MOST_OBJECTS:
            return
        if isinstance(node, list):
            inner: Sequence[Any] = node
        elif isinstance(node, dict):
            if "@type" in node or "@id" in node:
                yield node
            inner = list(node.values())
        else:
            continue
        if depth < DEEPEST:
            waiting += [(part, depth + 1) for part in inner[:MOST_OBJECTS] if isinstance(part, dict | list)]
