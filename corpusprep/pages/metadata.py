"""What a page says about itself: dates, author, title, site, language, address, type, licence and rights, with sources.

The kernel (native/pages/page_metadata.hpp) finds the marks in the tree of a page. This module decides between them: for
each field the first source that has a usable value. Sources are json-ld, opengraph, meta, microdata, time, link, html,
byline and url.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from urllib.parse import urljoin, urlsplit

from lxml import etree

from corpusprep._native.page_metadata import page_marks
from corpusprep._native.unicode import casefold, visible
from corpusprep.archive.records import host
from corpusprep.archive.rights import robots_words
from corpusprep.pages.dates import date_in_address, plausible, read_date
from corpusprep.pages.json_ld import LinkedData

#: Characters of a value; longer texts are cut, longer addresses are left out.
LONGEST_TEXT, LONGEST_ADDRESS = 300, 1000
MOST_AUTHORS = 10


def _ranked(*names: str) -> Mapping[str, int]:
    """Returns names of <meta> with their ranks, the best first."""
    return {name: rank for rank, name in enumerate(names)}


_PUBLISHED = _ranked(
    *("article:published_time", "og:article:published_time", "og:published_time", "og:pubdate"),
    *("datepublished", "date_published", "article:published", "article.published", "published_time", "publishdate"),
    *("publish_date", "publish-date", "publication_date", "publicationdate", "pubdate", "parsely-pub-date"),
    *("sailthru.date", "citation_publication_date", "citation_online_date", "citation_date", "dcterms.issued"),
    *("dc.date.issued", "date.issued", "cxenseparse:recs:publishtime", "cxenseparse:recs:articlefirstimportdate"),
    *("shareaholic:article_published_time", "originalpublicationdate", "article_date_original", "dcterms.created"),
    *("dc.date.created", "date.created", "datecreated", "article.created", "og:regdate", "dcterms.date", "dc.date"),
    *("dcterms.available", "date.available", "date", "timestamp"),
)
_MODIFIED = _ranked(
    *("article:modified_time", "og:article:modified_time", "og:updated_time", "datemodified", "article:modified"),
    *("article.updated", "modified_time", "shareaholic:article_modified_time", "dcterms.modified", "dc.date.modified"),
    *("date.modified", "modified", "lastmod", "last-modified", "revision_date"),
)
_AUTHOR = _ranked(
    *("citation_author", "parsely-author", "sailthru.author", "shareaholic:article_author_name", "byl", "nyt_byline"),
    *("author", "article:author", "article_author", "og:article:author", "og:author", "dc.creator", "dcterms.creator"),
    *("dcsext.author", "creator"),
)
_HEADLINE = _ranked(
    *("og:title", "citation_title", "parsely-title", "sailthru.title", "headline", "dc.title", "dcterms.title"),
    *("twitter:title", "title"),
)
_SITE = _ranked("og:site_name")
_PUBLISHER = _ranked("dc.publisher", "dcterms.publisher", "publisher")
_LANGUAGE = _ranked("og:locale", "content-language", "inlanguage", "dc.language", "dcterms.language", "language")
_TYPE = _ranked("og:type", "parsely-type", "dc.type", "dcterms.type")
_LICENCE = _ranked("license", "dcterms.license")
_RIGHTS = _ranked("dc.rights", "dcterms.rights", "rights", "copyright")
_CANONICAL = _ranked("og:url", "parsely-link")
_USE = ("robots", "tdm-reservation")
#: The names of <meta> that are read; the kernel gives no others.
META_NAMES = frozenset(
    name
    for names in (
        *(_PUBLISHED, _MODIFIED, _AUTHOR, _HEADLINE, _SITE, _PUBLISHER),
        *(_LANGUAGE, _TYPE, _LICENCE, _RIGHTS, _CANONICAL, _USE),
    )
    for name in names
)
_LANGUAGE_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_CREATIVE_COMMONS = re.compile(
    r"creativecommons\.org/(?:licenses|publicdomain)/[\w.+/-]+|\bCC[ -](?:BY|0)\b[\w .-]{0,20}", re.I
)
_BY = re.compile(
    r"^(?:(?:posted|published|written|story|words|edited|reviewed)\s+)?"
    r"(?:by|von|par|por|di|da|door|av|af|autor(?:in)?|author|text)\s*:?\s+",
    re.IGNORECASE,
)
_MARKS = r"[\s,:(\[/\u2013\u2014-]"
_BEFORE_DATE = (
    rf"(?:{_MARKS}{{1,5}}(?-i:on|at|am|um|den|dne|dnia|op|le|el|il|em|à)\b"
    rf"|(?:^|{_MARKS}{{1,5}})"
    r"(?:posted|published|(?:last\s)?updated|veröffentlicht|publié|publicado|pubblicato)\b){0,2}"
    rf"{_MARKS}{{0,5}}"
)
_WEEKDAY = r"(?:\b(?:on\s+)?(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?)"
_DATES = (
    r"\b\d{1,2}(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+|of\s+)?[^\W\d]{3,12}\.?,?\s+(?:de\s+)?(?:19|20)\d{2}\b",
    r"\b[^\W\d]{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d{2}\b",  # May 3rd, 2024
    r"\b(?:19|20)\d{2}([./-])\d{1,2}\1\d{1,2}(?:T[\d:.+Z-]{1,30})?\b",  # 2024-05-03T10:00Z
    r"\b\d{1,2}([./-])\s?\d{1,2}\2\s?(?:19|20)?\d{2}\b",  # 3. 5. 2024
    r"\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*(?:[ap]\.?m\.?|uhr|GMT|UTC|Z)\b)?",  # 10:00 a.m.
    r"\b\d{1,4}\s+(?:min|hour|day|week|month|year|comment|kommentar|repl|view|share)\w{0,9}(?:\s+(?:read|ago))?\b",
)
#: A date, a time, or a number of things that can stand beside a name, with what stands before it: none of it is a name.
_BESIDE_NAME = re.compile(f"{_BEFORE_DATE}{_WEEKDAY}(?:{'|'.join(_DATES)})", re.IGNORECASE)
_PUBLICATION = re.compile(
    r"publi|pubdate|entry-date|posted|created|dt-published|date--article|article-?_?date", re.IGNORECASE
)
_CHANGE = re.compile(r"updat|modif|changed|aktualisiert", re.IGNORECASE)
#: What fields of inputs say of books and letters.
_YEAR_OR_MONTH = re.compile(r"[12]\d{3}(?:-(?:0[1-9]|1[0-2]))?")
_SEPARATORS = re.compile(r"\s*(?:;|\||•|·|\n|\t)\s*")
_LAST_PART = re.compile(r"\s+[|\u2013\u2014\u2022-]\s+([^|\u2013\u2014\u2022]{2,60})$")
_JOINED = re.compile(r"\s+(?:and|und|et|y|og|och)\s+|,\s+")
_IN_BRACKETS = re.compile(r"\s*\([^()]{1,20}\)$")


@dataclass(slots=True, frozen=True)
class Metadata:
    """What a page says about itself; what it does not say is empty.

    Attributes:
        published: when it was published, as YYYY-MM-DD or YYYY-MM-DDThh:mm:ss with the zone if there is one; of a field
            of an input also as YYYY or YYYY-MM.
        modified: when it was last changed, in the same form.
        author: names, separated by "; ".
        headline: the title of what it contains, without the name of the site where pages mark it so.
        site: the name of the site or publisher.
        declared_language: a code of BCP 47, such as en or pt-BR.
        canonical: the address that it names as its own.
        page_type: the type of schema.org (NewsArticle, WebPage) or of OpenGraph (article, website).
        licence: the address of its licence, or its mark.
        sources: where each of these is from: `published=json-ld author=meta`.
        rights: marks of its use, with their places: `noai@meta tdm-reservation@meta`.
    """

    published: str = ""
    modified: str = ""
    author: str = ""
    headline: str = ""
    site: str = ""
    declared_language: str = ""
    canonical: str = ""
    page_type: str = ""
    licence: str = ""
    sources: str = ""
    rights: str = ""


#: Names of the fields, in order.
FIELDS = tuple(field.name for field in fields(Metadata))
_Found = Iterator[tuple[str, str]]  # source and value, the best first
#: Kind (native/pages/page_metadata.hpp), name in lower case, and value.
Mark = tuple[str, str, str]
_Reader = Callable[[str], str]  # gives a value in its form, empty if it is not usable


def page_metadata(root: etree._Element | None, url: str = "", crawled: str = "") -> Metadata:
    """Returns what a page says about itself.

    Args:
        root: its tree (html.parse).
        url: its address, for relative addresses and for the date in it.
        crawled: when it was fetched (ISO 8601): a later date of publication is wrong.
    """
    return metadata_of(marks_of(root), url, crawled) if root is not None else Metadata()


def marks_of(root: etree._Element | None) -> list[Mark]:
    """Returns the marks in the tree of a page: kind, name in lower case, and value.

    To decide between them takes a third of the time if it is done for many pages in a row.
    """
    return page_marks(root) if root is not None else []


def metadata_of(marks: Sequence[Mark], url: str, crawled: str) -> Metadata:
    """Returns what the marks of a page say; `url` and `crawled` as for `page_metadata`."""
    return _Marks(marks, url, crawled).metadata()


def with_said(metadata: Metadata, said: Mapping[str, str]) -> Metadata:
    """Returns what a page says with what is said of it elsewhere, in the fields of an input; the latter counts more."""
    if not said:
        return metadata
    values = {name: said[name] for name in FIELDS if name in said and name not in ("sources", "rights")}
    for name in values.keys() & {"published", "modified"}:
        values[name] = read_date(values[name]) or (values[name] if _YEAR_OR_MONTH.fullmatch(values[name]) else "")
    values = {name: value for name, value in values.items() if value}
    sources = dict(part.partition("=")[::2] for part in metadata.sources.split())
    sources |= dict(part.partition("=")[::2] for part in said.get("sources", "").split())
    found = replace(metadata, **values)
    named = " ".join(f"{name}={sources[name]}" for name in FIELDS if name in sources and getattr(found, name))
    return replace(found, sources=named)


def marks_of_rights(marks: Sequence[Mark]) -> list[Mark]:
    """Returns those marks that say how a page may be used."""
    return [mark for mark in marks if mark[0] == "meta" and mark[1] in _USE]


class _Marks:
    """The marks of a page, by kind."""

    def __init__(self, marks: Iterable[Mark], url: str, crawled: str) -> None:
        self._url, self._crawled = url, crawled
        self._meta: dict[str, list[str]] = {}
        self._link: dict[str, str] = {}
        self._times: list[tuple[str, str]] = []
        self._items: dict[str, str] = {}
        self._authors: list[tuple[str, str]] = []
        self._language = ""
        scripts: list[str] = []
        for kind, key, value in marks:
            if kind == "meta":
                self._meta.setdefault(key, []).append(value)
            elif kind == "link":
                self._link.setdefault(key, value)
            elif kind == "time":
                self._times.append((key, value))
            elif kind == "item_date":
                self._items.setdefault(key, value)
            elif kind == "author":
                self._authors.append((key, value))
            elif kind == "language":
                self._language = self._language or value
            else:
                scripts.append(value)
        self._linked = LinkedData(scripts)

    def metadata(self) -> Metadata:
        """Returns what the marks say."""
        sites = [*(value for _, value in self._site()), *self._linked.names("publisher")]
        self._sites = {letters for site in sites if (letters := _letters(site))}
        fields = {
            "published": self._first(self._published(), self._date),
            "modified": self._first(self._modified(), self._date),
            "author": self._author(),
            "headline": self._first(self._headline(), self._without_site),
            "site": self._first(self._site(), _text),
            "declared_language": self._first(self._languages(), _language),
            "canonical": self._first(self._canonical(), self._address),
            "page_type": self._first(self._type(), _text),
            "licence": self._first(self._licence(), self._licence_value),
        }
        values = {name: value for name, (_, value) in fields.items()}
        sources = " ".join(f"{name}={source}" for name, (source, value) in fields.items() if value)
        return Metadata(**values, sources=sources, rights=self._rights())

    @staticmethod
    def _first(candidates: _Found, read: _Reader) -> tuple[str, str]:
        """Returns the first usable value, with its source."""
        return next(((source, value) for source, raw in candidates if raw and (value := read(raw))), ("", ""))

    def _of_meta(self, ranks: Mapping[str, int]) -> _Found:
        for name in self._best(ranks):
            for value in self._meta[name]:
                yield _source(name), value

    def _best(self, ranks: Mapping[str, int]) -> list[str]:
        """Returns those names that the page has, the best first. A page has few: looking up its own is faster."""
        return sorted((name for name in self._meta if name in ranks), key=ranks.__getitem__) if self._meta else []

    def _published(self) -> _Found:
        yield "json-ld", self._linked.text("datePublished")
        yield from self._of_meta(_PUBLISHED)
        yield "microdata", self._items.get("datepublished", "")
        for key, value in self._times:
            if _PUBLICATION.search(key) and not _CHANGE.search(key.replace("published updated", "published")):
                yield "time", value
        yield "json-ld", self._linked.text("dateCreated", "uploadDate")
        yield "url", date_in_address(self._url) or date_in_address(self._link.get("canonical", ""))
        for key, value in self._times[:1]:
            if not _CHANGE.search(key):
                yield "time", value

    def _modified(self) -> _Found:
        yield "json-ld", self._linked.text("dateModified")
        yield from self._of_meta(_MODIFIED)
        yield "microdata", self._items.get("datemodified", "")
        yield from (("time", value) for key, value in self._times if _CHANGE.search(key))

    def _author(self) -> tuple[str, str]:
        """Returns the authors; those that are only the site's name if no source has others."""
        candidates = [("json-ld", self._linked.names("author") or self._linked.names("creator"))]
        candidates += [(_source(name), self._meta[name]) for name in self._best(_AUTHOR)]
        marked = [value for key, value in self._authors if key == "author"]
        candidates += [("microdata", marked), ("byline", [value for _, value in self._authors][:1])]
        last = "", ""
        for source, values in candidates:
            names = list(dict.fromkeys(name for value in values for name in _names(value)))[:MOST_AUTHORS]
            people = [name for name in names if not self._is_site(name)]
            if people:
                return source, "; ".join(people)[:LONGEST_TEXT]
            last = last if last[1] or not names else (source, "; ".join(names)[:LONGEST_TEXT])
        return last

    def _is_site(self, name: str) -> bool:
        """Returns whether a name is the site's name."""
        letters = _letters(name)
        return letters in self._sites or letters in _letters(host(self._url))

    def _headline(self) -> _Found:
        yield "json-ld", self._linked.text("headline")
        yield from self._of_meta(_HEADLINE)
        yield "json-ld", self._linked.text("name")

    def _site(self) -> _Found:
        yield from self._of_meta(_SITE)
        yield "json-ld", self._linked.publisher()
        yield from self._of_meta(_PUBLISHER)

    def _languages(self) -> _Found:
        yield "html", self._language
        yield "json-ld", self._linked.text("inLanguage")
        yield from self._of_meta(_LANGUAGE)

    def _canonical(self) -> _Found:
        yield "link", self._link.get("canonical", "")
        yield from self._of_meta(_CANONICAL)

    def _type(self) -> _Found:
        yield "json-ld", self._linked.type()
        yield from self._of_meta(_TYPE)

    def _licence(self) -> _Found:
        # A link is an address, also one with spaces in it.
        yield "link", self._link.get("license", "").replace(" ", "%20")
        yield "json-ld", self._linked.text("license")
        yield from self._of_meta(_LICENCE)
        for source, value in self._of_meta(_RIGHTS):
            # Marks of rights are mostly claims of copyright: only those that name a licence are one.
            if match := _CREATIVE_COMMONS.search(value):
                yield source, match[0]

    def _licence_value(self, value: str) -> str:
        return self._address(value) if " " not in value.strip() else _text(value)

    def _without_site(self, title: str) -> str:
        """Returns a title without the name of the site at its end."""
        title = _text(title)
        while (match := _LAST_PART.search(title)) and self._is_site(match[1]):
            title = title[: match.start()]
        return title

    def _date(self, value: str) -> str:
        date = read_date(value)
        return date if plausible(date, self._crawled) else ""

    def _address(self, value: str) -> str:
        """Returns an address of HTTP in full; empty for others."""
        value = visible(value).strip()
        try:
            address = urljoin(self._url, value) if "://" not in value[:12] else value
            parts = urlsplit(address)
        except ValueError:
            return ""
        # A licence may be named without a scheme.
        if not parts.scheme and value.startswith("creativecommons.org/"):
            return f"https://{value}"
        usable = parts.scheme in ("http", "https") and parts.netloc and len(address) <= LONGEST_ADDRESS
        return "".join(address.split()) if usable else ""

    def _rights(self) -> str:
        words = {word for value in self._meta.get("robots", ()) for word in robots_words(value)}
        if "1" in map(str.strip, self._meta.get("tdm-reservation", ())):
            words.add("tdm-reservation")
        return " ".join(f"{word}@meta" for word in sorted(words))


def _source(name: str) -> str:
    """Returns the source of a mark in `meta` by its name."""
    return "opengraph" if name.startswith(("og:", "article:")) else "meta"


def _text(value: str) -> str:
    return " ".join(visible(value).split())[:LONGEST_TEXT].rstrip()


def _language(value: str) -> str:
    """Returns a code of BCP 47 in its usual case: pt-BR, zh-Hant; empty for what is no code."""
    match = _LANGUAGE_CODE.fullmatch(value.strip().partition(",")[0].partition(".")[0])
    if not match:
        return ""
    first, *rest = match[0].replace("_", "-").split("-")
    cased = [part.upper() if len(part) == 2 else part.title() if len(part) == 4 else part.lower() for part in rest]
    return "-".join([first.lower(), *cased])


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, casefold(name)))


def _names(value: str) -> Iterator[str]:
    """Yields the names in a mark of authors: those that separators or dates divide, or `and` between whole names."""
    for part in _SEPARATORS.split(_BESIDE_NAME.sub("\n", visible(value))):
        whole = _BY.sub("", " ".join(part.split()).lstrip(",:)]-\u2013\u2014 "))
        names = _JOINED.split(whole)
        if not all(" " in name for name in names[:2]):
            names = [whole]
        for person in names:
            name = _IN_BRACKETS.sub("", person).strip(" ,")
            if name and "://" not in name and "@" not in name and any(map(str.isalpha, name)) and len(name) <= 100:
                yield name
