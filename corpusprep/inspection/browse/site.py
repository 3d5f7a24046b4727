"""What all pages of `corpusprep browse` share: the corpora of a folder, templates, and what an address says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jinja2
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from corpusprep.inspection.browse import corpora
from corpusprep.inspection.columns import columns_of
from corpusprep.inspection.records import NotFoundError
from corpusprep.report.rendering import environment
from corpusprep.tables.batch_files import refuse_packed
from corpusprep.tables.crawl_files import is_crawl

PACKAGE = "corpusprep.inspection.browse"
#: Bytes that counting may take, and characters of a field of an address.
MEMORY, LONGEST = 2_000_000_000, 4_000
#: Form of a file -> how its name ends, and its type.
_FORMS = {
    "tsv": ("tsv", "text/tab-separated-values"),
    "csv": ("csv", "text/csv"),
    "json": ("jsonl", "application/x-ndjson"),
}


@dataclass(frozen=True)
class Site:
    """The corpora of a folder, and how their pages are made.

    Attributes:
        results: a results folder, or the folder of a corpus.
        base: what all addresses begin with.
        columns: names of the columns of all verticals, the word first; none: each has its own (columns.columns_of).
        memory: bytes that counting may take.
        ended: says whether the server ends; then searches end, too.
    """

    results: Path
    base: str
    columns: tuple[str, ...] = ()
    memory: int = MEMORY
    ended: Callable[[], bool] = field(default=lambda: False)

    @cached_property
    def templates(self) -> jinja2.Environment:
        """The templates."""
        made = environment(PACKAGE)
        made.globals["base"] = self.base
        return made

    def render(self, template: str, status: int = 200, **values: Any) -> Response:
        """Returns a page."""
        return HTMLResponse(self.templates.get_template(template).render(values), status)

    def failed(self, request: Request, error: Exception) -> Response:
        """An error that a user can act on, as a page."""
        if isinstance(error, HTTPException):
            return self.render("error.html.j2", status=error.status_code, message=str(error.detail))
        status = 404 if isinstance(error, NotFoundError) else 400
        return self.render("error.html.j2", status=status, message=str(error))

    def folders(self) -> dict[str, Path]:
        """Returns the folders of the corpora by name."""
        return corpora.folders(self.results)

    def corpus(self, request: Request) -> tuple[str, Path]:
        """Returns the name and the folder of the corpus that a request is about.

        Raises:
            StageFileError: its files are packed.
        """
        name = request.path_params["corpus"]
        folder = self.folder(name)
        refuse_packed(folder)
        return name, folder

    def folder(self, name: str) -> Path:
        """Returns the folder of a corpus; only names of corpora that are there lead to one."""
        folder = self.folders().get(name)
        if folder is None:
            raise HTTPException(404, f"no corpus {name[:60]} here")
        return folder

    def columns_of(self, folder: Path) -> tuple[str, ...]:
        """Returns the names of the columns of a corpus."""
        return columns_of(folder, self.columns)

    def shown_folder(self, folder: Path) -> Path:
        """Returns the folder of a corpus as the user named it."""
        base = self.results if folder.is_relative_to(self.results) else self.results.resolve()
        return self.results / folder.relative_to(base)

    def recut_folder(self, folder: Path) -> Path:
        """Returns the folder that `recut` takes, as the user named it: for a language, the folder of its crawl."""
        shown = self.shown_folder(folder)
        return shown.parent if is_crawl(folder.parent) else shown

    def address(self, corpus: str, *path: str, **values: object) -> str:
        """Returns the address of a page of a corpus."""
        parts = "/".join(quote(part, safe="") for part in (corpus, *path))
        return f"{self.base}/c/{parts}{query(values)}"


def query(values: Mapping[str, object]) -> str:
    """Returns the part of an address behind `?`, with it; of values that are empty nothing is left."""
    text = urlencode({name: value for name, value in values.items() if value not in ("", None)})
    return f"?{text}" if text else "?"


def fields(request: Request) -> Mapping[str, str]:
    """Returns the fields of an address."""
    return {name: value[:LONGEST] for name, value in request.query_params.items()}


def given(request: Request, name: str) -> str:
    """Returns a field of an address; empty if it has none."""
    return request.query_params.get(name, "")[:LONGEST]


def number(text: str, default: int) -> int:
    """Returns what is written as a number; the default for anything else."""
    return int(text) if text.isdecimal() and len(text) < 10 else default


def choice(request: Request, name: str, known: Sequence[str]) -> str:
    """Returns a field of an address that is one of several; the first of them for anything else."""
    value = given(request, name)
    return value if value in known else known[0]


def own(name: str) -> str:
    """Returns a file of the pages."""
    return resources.files(PACKAGE).joinpath(name).read_text(encoding="utf-8")


def file_headers(name: str, form: str) -> dict[str, str]:
    """Returns the headers of a file that a browser stores.

    Args:
        name: its name; other characters than ASCII letters and digits become hyphens.
        form: of its content: `tsv`, `csv` or `json`.
    """
    plain = "".join(character if character.isascii() and character.isalnum() else "-" for character in name)
    ending, kind = _FORMS[form]
    return {
        "Content-Disposition": f'attachment; filename="{plain}.{ending}"',
        "Content-Type": f"{kind}; charset=utf-8",
    }
