"""The server of `corpusprep browse`: its addresses, what they show, and the socket that only this machine reaches."""

import contextlib
import functools
import itertools
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.inspection import concordance, records, why_text
from corpusprep.inspection.browse import corpora, judging, sliders, stories
from corpusprep.inspection.browse.guard import REPORT_POLICY, Guard
from corpusprep.inspection.query import PatternError
from corpusprep.inspection.records import NotFoundError
from corpusprep.inspection.search_texts import CORPUS as IN_CORPUS
from corpusprep.inspection.search_texts import STAGES as SEARCHED
from corpusprep.inspection.why import explain
from corpusprep.report import audit
from corpusprep.report.rendering import environment
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.tables.batch_files import corpus_file
from corpusprep.tables.crawl_files import is_crawl

ADDRESS = "127.0.0.1"
#: Lines of a concordance on a page, how many hits are drawn to be sorted, and the most pages of other hits.
LINES, DRAWN, PAGES = 200, 1_000, 50
CONTEXT = 70
#: Bytes of a form, and characters of what is searched for.
_FORM_BYTES, _LONGEST = 10_000, 4_000
_PACKAGE = "corpusprep.inspection.browse"
_SAMPLES = 4
#: Seconds that answers may still take after a signal; a second later, the process ends in any case.
_GRACE = 3


class Browser:
    """The pages over the corpora of a folder."""

    def __init__(self, results: Path, token: str, ended: Callable[[], bool] = lambda: False) -> None:
        """Reads which corpora there are.

        Args:
            results: a results folder, or the folder of a corpus.
            token: the first part of every address.
            ended: says whether the server ends; then searches end, too.

        Raises:
            StageFileError: there is no corpus.
        """
        self._results, self._base, self._ended = results, f"/{token}", ended
        corpora.folders(results)
        self._templates = environment(_PACKAGE)
        self._templates.globals["base"] = self._base
        self._samples = functools.lru_cache(_SAMPLES)(sliders.PageSample)
        self._reading = threading.Lock()
        style = resources.files("corpusprep.report").joinpath("report.css").read_text(encoding="utf-8")
        self._files = {
            "style.css": ("text/css", style + _own("browse.css")),
            "browse.js": ("text/javascript", _own("browse.js")),
        }

    def routes(self) -> list[Mount]:
        """Returns the addresses."""
        pages: list[tuple[str, Callable[..., Any], str]] = [
            ("/", self.home, "GET"),
            ("/static/{name}", self.static, "GET"),
            ("/search", self.search, "GET"),
            ("/c/{corpus:path}/report", self.report, "GET"),
            ("/c/{corpus:path}/pages", self.pages, "GET"),
            ("/c/{corpus:path}/page/{batch}/{record}", self.page, "GET"),
            ("/c/{corpus:path}/concordance", self.concordance, "GET"),
            ("/c/{corpus:path}/thresholds", self.thresholds, "GET"),
            ("/c/{corpus:path}/thresholds/count", self.count, "GET"),
            ("/c/{corpus:path}/audit", self.audit, "GET"),
            ("/c/{corpus:path}/audit/start", self.start, "POST"),
            ("/c/{corpus:path}/audit/score", self.score, "POST"),
            ("/c/{corpus:path}/audit/judge", self.judging, "GET"),
            ("/c/{corpus:path}/audit/judged", self.judged, "POST"),
        ]
        return [Mount(self._base, routes=[Route(path, page, methods=[method]) for path, page, method in pages])]

    def home(self, request: Request) -> Response:
        """The corpora, with their sizes."""
        described = [corpora.describe(name, folder) for name, folder in corpora.folders(self._results).items()]
        return self._render("home.html.j2", results=str(self._results), corpora=described)

    def static(self, request: Request) -> Response:
        """The style sheet, or the script."""
        kind, text = self._files.get(request.path_params["name"], ("", ""))
        if not kind:
            raise HTTPException(404)
        return Response(text, media_type=kind)

    def search(self, request: Request) -> Response:
        """The pages of an address or a host, in one corpus or all."""
        wanted = _given(request, "q").strip()
        named = _given(request, "corpus")
        folders = corpora.folders(self._results)
        chosen = {named: self._folder(named)} if named else folders
        places: list[tuple[str, str, int, str]] = []
        nearest: list[tuple[str, str]] = []
        problems: list[str] = []
        for name, folder in chosen.items() if wanted else ():
            try:
                hosts = corpora.of_host(folder, wanted.removeprefix("http://").removeprefix("https://").rstrip("/"))
                places += [(name, batch, record, url) for batch, record, url in hosts]
                if not hosts:
                    keys = records.find(folder, wanted)
                    places += [(name, key.batch, key.record, wanted) for key in keys]
            except NotFoundError as error:
                nearest += [(name, url) for url in error.nearest]
            except CorpusprepError as error:
                problems.append(str(error))
        if len(places) == 1:
            name, batch, record, _ = places[0]
            return RedirectResponse(f"{self._base}/c/{quote(name, safe='')}/page/{quote(batch, safe='')}/{record}", 303)
        return self._render(
            "search.html.j2",
            wanted=wanted,
            corpus=named,
            corpora=list(folders),
            records=places,
            nearest=nearest,
            problems=problems,
        )

    def report(self, request: Request) -> Response:
        """The report of a corpus, as the workflow wrote it."""
        path = corpus_file(self._corpus(request)[1], "report")
        if not path.is_file():
            raise HTTPException(404, "this corpus has no report yet; run the workflow")
        return Response(path.read_bytes(), media_type="text/html", headers={"Content-Security-Policy": REPORT_POLICY})

    def pages(self, request: Request) -> Response:
        """The pages of a batch."""
        name, folder = self._corpus(request)
        batches = CorpusFolder.open(folder).batches
        batch = _given(request, "batch") or (batches[0] if batches else "")
        if batch not in batches:
            raise HTTPException(404, f"{name} has no batch {batch[:60]}")
        fate = _given(request, "fate")
        after = _number(_given(request, "after"), -1)
        listed = corpora.pages(folder, batch, after, fate if fate in ("kept", "removed") else "")
        more = urlencode({"batch": batch, "fate": fate, "after": listed[-1].record}) if listed else ""
        if len(listed) < corpora.PAGES_AT_ONCE:
            more = ""
        return self._render(
            "pages.html.j2", corpus=name, batch=batch, batches=batches, fate=fate, pages=listed, more=more, after=after
        )

    def page(self, request: Request) -> Response:
        """Why a page is in the corpus or not, with its text; removed blocks are folded in."""
        name, folder = self._corpus(request)
        batch, record = request.path_params["batch"], _number(request.path_params["record"], -1)
        if record < 0:
            raise HTTPException(404)
        if batch not in CorpusFolder.open(folder).batches:
            raise HTTPException(404, f"{name} has no batch {batch[:60]}")
        sources = _given(request, "sources") == "1"
        [story] = explain(folder, f"{batch}:{record}", sources=sources)
        return self._render(
            "page.html.j2",
            corpus=name,
            story=story,
            facts=[("URL", story.url), *(fact for fact in why_text.facts(story) if fact[0] != "note")],
            runs=stories.runs(story.blocks),
            sources=sources,
            covered=any(block.covered_tokens for block in story.blocks),
        )

    def concordance(self, request: Request) -> Response:
        """A word or sequence in its contexts."""
        name, folder = self._corpus(request)
        pattern = _given(request, "pattern")
        stage, sort = _given(request, "stage") or IN_CORPUS, _given(request, "sort")
        pages = -(-DRAWN // LINES) if sort else PAGES
        number = min(max(1, _number(_given(request, "page"), 1)), pages)
        first = (number - 1) * LINES
        lines: list[concordance.ConcordanceLine] = []
        problem = ""
        if pattern:
            try:
                # One line more than is shown: then there is a next page.
                hits = concordance.search(
                    folder,
                    pattern,
                    stage=stage,
                    sort=sort,
                    sample=DRAWN if sort else 0,
                    limit=first + LINES + 1,
                    width=CONTEXT,
                    ended=self._ended,
                )
                lines = list(itertools.islice(hits, first, None))
            except (PatternError, CorpusprepError) as error:
                problem = str(error)

        def link(wanted: int) -> str:
            return "?" + urlencode({"pattern": pattern, "stage": stage, "sort": sort, "page": wanted})

        return self._render(
            "concordance.html.j2",
            corpus=name,
            pattern=pattern,
            stage=stage,
            stages=SEARCHED,
            sort=sort,
            sorts=concordance.SORTS,
            lines=lines[:LINES],
            first=first,
            drawn=DRAWN,
            last=number == pages,
            earlier=link(number - 1) if number > 1 else "",
            more=link(number + 1) if len(lines) > LINES and number < pages else "",
            problem=problem,
        )

    def thresholds(self, request: Request) -> Response:
        """Sliders of the thresholds, with sampled pages."""
        name, folder = self._corpus(request)
        sample = self._sample(folder)
        values = _query(request)
        choice = sample.chosen(values)
        algorithm = values.get("algorithm", "")
        counted = sample.count(choice)
        fates = iter(zip(counted.reasons, counted.changed, strict=True))
        return self._render(
            "thresholds.html.j2",
            corpus=name,
            sample=sample,
            choice=choice,
            controls=sample.controls(),
            presets=sample.presets(),
            learned=[] if choice.name else sliders.learned_algorithms(),
            algorithm=algorithm,
            pages=[(page, [(block, *next(fates)) for block in page.blocks]) for page in sample.shown],
            counted=counted,
            config=sliders.config_of(choice, self._known(algorithm)),
            recut=sliders.recut_of(choice, self._recut_folder(folder), self._known(algorithm)),
        )

    def count(self, request: Request) -> Response:
        """What thresholds keep, for the script."""
        _, folder = self._corpus(request)
        try:
            sample = self._sample(folder)
            values = _query(request)
            choice = sample.chosen(values)
            name = self._known(values.get("algorithm", ""))
            return JSONResponse(sliders.answer(sample, choice, self._recut_folder(folder), name))
        except CorpusprepError as error:
            return JSONResponse({"error": str(error)}, 400)

    def audit(self, request: Request) -> Response:
        """The sheets of a corpus's audit, and what they say."""
        name, folder = self._corpus(request)
        return self._render(
            "audit.html.j2",
            corpus=name,
            folder=str(self._shown_folder(folder)),
            drawn=judging.drawn(folder),
            annotators=judging.annotators(folder),
            scores=audit.scores(folder),
            agreements=audit.agreements(folder),
        )

    async def start(self, request: Request) -> Response:
        """Makes the sheet of an annotator."""
        form = await _form(request)
        name, folder = self._corpus(request)
        sheet = await run_in_threadpool(judging.start, folder, form.get("annotator", "").strip())
        return self._to_judging(name, sheet)

    async def score(self, request: Request) -> Response:
        """Scores the sheets of all annotators."""
        await _form(request)
        name, folder = self._corpus(request)
        await run_in_threadpool(judging.score_all, folder)
        return RedirectResponse(f"{self._base}/c/{quote(name, safe='')}/audit", 303)

    def judging(self, request: Request) -> Response:
        """A unit to judge."""
        name, folder = self._corpus(request)
        sheet = _given(request, "sheet")
        shown = judging.show(folder, sheet, _given(request, "id"))
        return self._render(
            "judge.html.j2", corpus=name, sheet=sheet, shown=shown, language=corpora.describe(name, folder).language
        )

    async def judged(self, request: Request) -> Response:
        """Stores a judgement, and shows the next unit."""
        form = await _form(request)
        name, folder = self._corpus(request)
        sheet = form.get("sheet", "")
        await run_in_threadpool(judging.judge, folder, sheet, form.get("id", ""), form.get("judgement", ""))
        return self._to_judging(name, sheet)

    def _to_judging(self, corpus: str, sheet: str) -> Response:
        query = urlencode({"sheet": sheet})
        return RedirectResponse(f"{self._base}/c/{quote(corpus, safe='')}/audit/judge?{query}", 303)

    def failed(self, request: Request, error: Exception) -> Response:
        """An error that a user can act on, as a page."""
        if isinstance(error, HTTPException):
            return self._render("error.html.j2", status=error.status_code, message=str(error.detail))
        status = 404 if isinstance(error, NotFoundError) else 400
        return self._render("error.html.j2", status=status, message=str(error))

    def _render(self, template: str, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(self._templates.get_template(template).render(values), status)

    def _corpus(self, request: Request) -> tuple[str, Path]:
        name = request.path_params["corpus"]
        return name, self._folder(name)

    def _folder(self, name: str) -> Path:
        """Returns the folder of a corpus; only names of corpora that are there lead to one."""
        folder = corpora.folders(self._results).get(name)
        if folder is None:
            raise HTTPException(404, f"no corpus {name[:60]} here")
        return folder

    def _shown_folder(self, folder: Path) -> Path:
        """Returns the folder of a corpus as the user named it."""
        base = self._results if folder.is_relative_to(self._results) else self._results.resolve()
        return self._results / folder.relative_to(base)

    def _recut_folder(self, folder: Path) -> Path:
        """Returns the folder that `recut` takes, as the user named it: for a language, the folder of its crawl."""
        shown = self._shown_folder(folder)
        return shown.parent if is_crawl(folder.parent) else shown

    def _sample(self, folder: Path) -> sliders.PageSample:
        with self._reading:  # several requests at once would read it several times
            return self._samples(folder)

    def _known(self, algorithm: str) -> str:
        return algorithm if algorithm in sliders.learned_algorithms() else ""


def application(results: Path, token: str, port: int, ended: Callable[[], bool] = lambda: False) -> ASGIApp:
    """Returns the application over the corpora of a folder, behind its guard.

    Args:
        results: a results folder, or the folder of a corpus.
        token: the first part of every address.
        port: the port that it is served from.
        ended: says whether the server ends; then searches end, too.

    Raises:
        StageFileError: there is no corpus.
    """
    browser = Browser(results, token, ended)
    app = Starlette(
        routes=browser.routes(),
        exception_handlers={CorpusprepError: browser.failed, HTTPException: browser.failed},
    )
    return Guard(app, token, [f"{ADDRESS}:{port}", f"localhost:{port}"])


@contextlib.contextmanager
def listening(port: int = 0) -> Iterator[tuple[socket.socket, int]]:
    """Opens a socket that this machine alone reaches; gives it and its port.

    Args:
        port: its number; 0: any that is free.

    Raises:
        ConfigError: the port is taken.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((ADDRESS, port))
            opened.listen()  # so that a request waits until the server has started
        except OSError as error:
            raise ConfigError(f"port {port}: {error.strerror}; choose another with --port, or none") from None
        yield opened, int(opened.getsockname()[1])


def serve(results: Path, port: int, ready: Callable[[str], None]) -> None:
    """Serves pages over the corpora of a folder until it is interrupted.

    Args:
        results: a results folder, or the folder of a corpus.
        port: the port; 0: any that is free.
        ready: is called with the address.

    Raises:
        StageFileError: there is no corpus.
        ConfigError: the port is taken.
    """
    token = secrets.token_urlsafe(24)
    with listening(port) as (opened, number):
        ended = threading.Event()
        app = application(results, token, number, ended.is_set)
        server = _Server(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                lifespan="off",
                timeout_graceful_shutdown=_GRACE,
            )
        )
        server.ended = ended
        ready(f"http://{ADDRESS}:{number}/{token}/")
        server.run(sockets=[opened])


class _Server(uvicorn.Server):
    """A server that a signal ends within seconds, whatever is being answered: files appear whole, or not at all.

    Attributes:
        ended: is set by the first signal.
    """

    ended: threading.Event

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends the server. Python waits for threads, and some that answer cannot be ended."""
        if not self.ended.is_set():
            self.ended.set()
            last = threading.Timer(_GRACE + 1, os._exit, [128 + sig])
            last.daemon = True
            last.start()
        super().handle_exit(sig, frame)


def _own(name: str) -> str:
    return resources.files(_PACKAGE).joinpath(name).read_text(encoding="utf-8")


def _query(request: Request) -> Mapping[str, str]:
    return {name: value[:_LONGEST] for name, value in request.query_params.items()}


def _given(request: Request, name: str) -> str:
    return request.query_params.get(name, "")[:_LONGEST]


def _number(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else default


async def _form(request: Request) -> dict[str, str]:
    """Returns the fields of a form."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _FORM_BYTES:
            raise HTTPException(413, "the form is too long")
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
