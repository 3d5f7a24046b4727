"""Writes extracted pages: as text, Markdown, JSON, TEI, or with CleanEval's markers."""

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass

from corpusprep.extraction.extracted import Extraction
from corpusprep.extraction.marked_text import marked_lines
from corpusprep.text.tei import body
from corpusprep.text.vertical import escape


@dataclass(slots=True, frozen=True)
class Written:
    """How pages are written.

    Attributes:
        title: whether the title comes first, with CleanEval's markers.
        documents: whether `<doc>` comes before each page, with CleanEval's markers.
    """

    title: bool = False
    documents: bool = False


def as_text(_name: str, page: Extraction, _how: Written) -> str:
    """Returns the good blocks, one per line."""
    return page.text


def as_markdown(_name: str, page: Extraction, _how: Written) -> str:
    """Returns the good blocks as Markdown."""
    return page.markdown


def as_json(name: str, page: Extraction, _how: Written) -> str:
    """Returns one line: what came of the page, its metadata, its text, and all its blocks with their classes."""
    said = dataclasses.asdict(page.metadata)
    return json.dumps(
        {
            "file": name,
            "verdict": page.verdict,
            "reason": page.reason,
            "title": page.title,
            "metadata": {field: value for field, value in said.items() if value},
            "text": page.text,
            "blocks": [dataclasses.asdict(block) for block in page],
        },
        ensure_ascii=False,
    )


def as_tei(name: str, page: Extraction, _how: Written) -> str:
    """Returns a document of TEI P5: a header with what the page says about itself, and the good blocks."""
    said = page.metadata
    authors = "".join(f"<author>{escape(author)}</author>" for author in said.author.split("; ") if author)
    title = escape(said.headline or page.title)
    date = f'<date type="publication" when="{said.published}">{said.published[:10]}</date>' if said.published else ""
    licence = f"<availability><licence>{escape(said.licence)}</licence></availability>" if said.licence else ""
    ids = {"file": name, "canonical": said.canonical, "rights": said.rights}
    numbers = "".join(f'<idno type="{kind}">{escape(value)}</idno>' for kind, value in ids.items() if value)
    language = escape(said.declared_language)
    used = f'<langUsage><language ident="{language}">{language}</language></langUsage>' if language else ""
    blocks = "".join(body((block.type, "", [escape(block.text)]) for block in page if block.label == "good"))
    return (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
        f"<titleStmt><title>{title}</title>{authors}</titleStmt>\n"
        f"<publicationStmt><publisher>{escape(said.site)}</publisher>{date}{licence}</publicationStmt>\n"
        f"<sourceDesc><bibl>{numbers}</bibl></sourceDesc></fileDesc>"
        f"<profileDesc>{used}</profileDesc></teiHeader>\n<text><body>\n{blocks}</body></text></TEI>"
    )


def as_cleaneval(_name: str, page: Extraction, how: Written) -> str:
    """Returns the good blocks with CleanEval's markers, one per line."""
    good = [block for block in page if block.label == "good"]
    return "\n".join(marked_lines(good, page.title if how.title else "", document=how.documents))


#: Format -> the end of the names of its files, and what writes a page.
FORMATS: dict[str, tuple[str, Callable[[str, Extraction, Written], str]]] = {
    "text": (".txt", as_text),
    "markdown": (".md", as_markdown),
    "json": (".json", as_json),
    "tei": (".tei.xml", as_tei),
    "cleaneval": (".txt", as_cleaneval),
}
