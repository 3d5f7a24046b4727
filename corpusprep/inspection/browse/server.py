"""The server of `corpusprep browse`: its addresses, what they show, and the socket that only this machine reaches."""

import contextlib
import functools
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
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
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from corpusprep.errors import ConfigError, CorpusprepError
from corpusprep.inspection import records, why_text
from corpusprep.inspection.browse import corpora, judging, sliders, stories
from corpusprep.inspection.browse.concordances import Concordances
from corpusprep.inspection.browse.distributions import Distributions
from corpusprep.inspection.browse.filter_page import FilterPage
from corpusprep.inspection.browse.guard import REPORT_POLICY, Guard
from corpusprep.inspection.browse.lists import Lists, save_part
from corpusprep.inspection.browse.running import Queries
from corpusprep.inspection.browse.site import MEMORY, Site, fields, given, number, own
from corpusprep.inspection.records import NotFoundError
from corpusprep.inspection.why import explain
from corpusprep.report import audit
from corpusprep.statistics.corpus_folder import CorpusFolder
from corpusprep.tables.batch_files import corpus_file, refuse_packed

ADDRESS = "127.0.0.1"
#: Bytes of a form.
_FORM_BYTES = 10_000
_SAMPLES = 4
#: Seconds that answers may still take after a signal; a second later, the process ends in any case.
_GRACE = 3


class Browser:
    """The pages over the corpora of a folder."""

    def __init__(self, site: Site) -> None:
        """Reads which corpora there are.

        Raises:
            StageFileError: there is no corpus.
        """
        self._site = site
        site.folders()
        self._queries = Queries(site.ended)
        self._samples = functools.lru_cache(_SAMPLES)(sliders.PageSample)
        self._reading = threading.Lock()
        style = resources.files("corpusprep.report").joinpath("report.css").read_text(encoding="utf-8")
        self._files = {
            "style.css": ("text/css", style + own("browse.css")),
            "browse.js": ("text/javascript", own("browse.js")),
        }

    def routes(self) -> list[Mount]:
        """Returns the addresses."""
        concordances, lists = Concordances(self._site), Lists(self._site, self._queries)
        filters = FilterPage(self._site)
        long = self._queries.page
        pages: list[tuple[str, Callable[..., Any], str]] = [
            ("/", self.home, "GET"),
            ("/static/{name}", self.static, "GET"),
            ("/search", long(self.search), "GET"),
            ("/c/{corpus:path}/report", self.report, "GET"),
            ("/c/{corpus:path}/pages", self.pages, "GET"),
            ("/c/{corpus:path}/page/{batch}/{record}", long(self.page), "GET"),
            ("/c/{corpus:path}/concordance", long(concordances.concordance), "GET"),
            ("/c/{corpus:path}/distribution", long(Distributions(self._site).distribution), "GET"),
            ("/c/{corpus:path}/words", long(lists.words), "GET"),
            ("/c/{corpus:path}/keywords", long(lists.keywords), "GET"),
            ("/c/{corpus:path}/collocations", long(lists.collocations), "GET"),
            ("/c/{corpus:path}/done", lists.done, "GET"),
            ("/c/{corpus:path}/parts", self.save_part, "POST"),
            ("/c/{corpus:path}/thresholds", self.thresholds, "GET"),
            ("/c/{corpus:path}/thresholds/count", self.count, "GET"),
            ("/c/{corpus:path}/filter", filters.filter, "GET"),
            ("/c/{corpus:path}/filter/count", filters.count, "GET"),
            ("/c/{corpus:path}/audit", self.audit, "GET"),
            ("/c/{corpus:path}/audit/start", self.start, "POST"),
            ("/c/{corpus:path}/audit/score", self.score, "POST"),
            ("/c/{corpus:path}/audit/judge", self.judging, "GET"),
            ("/c/{corpus:path}/audit/judged", self.judged, "POST"),
        ]
        return [Mount(self._site.base, routes=[Route(path, page, methods=[method]) for path, page, method in pages])]

    def home(self, request: Request) -> Response:
        """The corpora, with their sizes."""
        described = [corpora.describe(name, folder) for name, folder in self._site.folders().items()]
        return self._site.render("home.html.j2", results=str(self._site.results), corpora=described)

    def static(self, request: Request) -> Response:
        """The style sheet, or the script."""
        kind, text = self._files.get(request.path_params["name"], ("", ""))
        if not kind:
            raise HTTPException(404)
        return Response(text, media_type=kind)

    def search(self, request: Request) -> Response:
        """The pages of an address or a host, in one corpus or all."""
        wanted = given(request, "q").strip()
        named = given(request, "corpus")
        folders = self._site.folders()
        chosen = {named: self._site.folder(named)} if named else folders
        places: list[tuple[str, str, int, str]] = []
        nearest: list[tuple[str, str]] = []
        problems: list[str] = []
        for name, folder in chosen.items() if wanted else ():
            try:
                refuse_packed(folder)
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
            return RedirectResponse(
                f"{self._site.base}/c/{quote(name, safe='')}/page/{quote(batch, safe='')}/{record}", 303
            )
        return self._site.render(
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
        path = corpus_file(self._site.folder(request.path_params["corpus"]), "report")
        if not path.is_file():
            raise HTTPException(404, "this corpus has no report yet; run the workflow")
        return Response(path.read_bytes(), media_type="text/html", headers={"Content-Security-Policy": REPORT_POLICY})

    def pages(self, request: Request) -> Response:
        """The pages of a batch."""
        name, folder = self._site.corpus(request)
        batches = CorpusFolder.open(folder).batches
        batch = given(request, "batch") or (batches[0] if batches else "")
        if batch not in batches:
            raise HTTPException(404, f"{name} has no batch {batch[:60]}")
        fate = given(request, "fate")
        after = number(given(request, "after"), -1)
        listed = corpora.pages(folder, batch, after, fate if fate in ("kept", "removed") else "")
        more = urlencode({"batch": batch, "fate": fate, "after": listed[-1].record}) if listed else ""
        if len(listed) < corpora.PAGES_AT_ONCE:
            more = ""
        return self._site.render(
            "pages.html.j2", corpus=name, batch=batch, batches=batches, fate=fate, pages=listed, more=more, after=after
        )

    def page(self, request: Request) -> Response:
        """Why a page is in the corpus or not, with its text; removed blocks are folded in."""
        name, folder = self._site.corpus(request)
        batch, record = request.path_params["batch"], number(request.path_params["record"], -1)
        if record < 0:
            raise HTTPException(404)
        if batch not in CorpusFolder.open(folder).batches:
            raise HTTPException(404, f"{name} has no batch {batch[:60]}")
        sources = given(request, "sources") == "1"
        [story] = explain(folder, f"{batch}:{record}", sources=sources)
        return self._site.render(
            "page.html.j2",
            corpus=name,
            story=story,
            facts=[("URL", story.url), *(fact for fact in why_text.facts(story) if fact[0] != "note")],
            runs=stories.runs(story.blocks),
            sources=sources,
            covered=any(block.covered_tokens for block in story.blocks),
        )

    def thresholds(self, request: Request) -> Response:
        """Sliders of the thresholds, with sampled pages."""
        name, folder = self._site.corpus(request)
        sample = self._sample(folder)
        values = fields(request)
        choice = sample.chosen(values)
        algorithm = values.get("algorithm", "")
        counted = sample.count(choice)
        fates = iter(zip(counted.reasons, counted.changed, strict=True))
        return self._site.render(
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
            recut=sliders.recut_of(choice, self._site.recut_folder(folder), self._known(algorithm)),
        )

    def count(self, request: Request) -> Response:
        """What thresholds keep, for the script."""
        _, folder = self._site.corpus(request)
        try:
            sample = self._sample(folder)
            values = fields(request)
            choice = sample.chosen(values)
            name = self._known(values.get("algorithm", ""))
            return JSONResponse(sliders.answer(sample, choice, self._site.recut_folder(folder), name))
        except CorpusprepError as error:
            return JSONResponse({"error": str(error)}, 400)

    def audit(self, request: Request) -> Response:
        """The sheets of a corpus's audit, and what they say."""
        name, folder = self._site.corpus(request)
        return self._site.render(
            "audit.html.j2",
            corpus=name,
            folder=str(self._site.shown_folder(folder)),
            drawn=judging.drawn(folder),
            annotators=judging.annotators(folder),
            scores=audit.scores(folder),
            agreements=audit.agreements(folder),
        )

    async def start(self, request: Request) -> Response:
        """Makes the sheet of an annotator."""
        form = await _form(request)
        name, folder = self._site.corpus(request)
        sheet = await run_in_threadpool(judging.start, folder, form.get("annotator", "").strip())
        return self._to_judging(name, sheet)

    async def save_part(self, request: Request) -> Response:
        """Saves a condition on documents under a name, and shows the page again."""
        return await run_in_threadpool(save_part, self._site, request, await _form(request))

    async def score(self, request: Request) -> Response:
        """Scores the sheets of all annotators."""
        await _form(request)
        name, folder = self._site.corpus(request)
        await run_in_threadpool(judging.score_all, folder)
        return RedirectResponse(f"{self._site.base}/c/{quote(name, safe='')}/audit", 303)

    def judging(self, request: Request) -> Response:
        """A unit to judge."""
        name, folder = self._site.corpus(request)
        sheet = given(request, "sheet")
        shown = judging.show(folder, sheet, given(request, "id"))
        return self._site.render(
            "judge.html.j2", corpus=name, sheet=sheet, shown=shown, language=corpora.describe(name, folder).language
        )

    async def judged(self, request: Request) -> Response:
        """Stores a judgement, and shows the next unit."""
        form = await _form(request)
        name, folder = self._site.corpus(request)
        sheet = form.get("sheet", "")
        await run_in_threadpool(judging.judge, folder, sheet, form.get("id", ""), form.get("judgement", ""))
        return self._to_judging(name, sheet)

    def _to_judging(self, corpus: str, sheet: str) -> Response:
        query = urlencode({"sheet": sheet})
        return RedirectResponse(f"{self._site.base}/c/{quote(corpus, safe='')}/audit/judge?{query}", 303)

    def _sample(self, folder: Path) -> sliders.PageSample:
        with self._reading:  # several requests at once would read it several times
            return self._samples(folder)

    def _known(self, algorithm: str) -> str:
        return algorithm if algorithm in sliders.learned_algorithms() else ""


def application(
    results: Path,
    token: str,
    port: int,
    ended: Callable[[], bool] = lambda: False,
    columns: Sequence[str] = (),
    memory: int = MEMORY,
) -> ASGIApp:
    """Returns the application over the corpora of a folder, behind its guard.

    Args:
        results: a results folder, or the folder of a corpus.
        token: the first part of every address.
        port: the port that it is served from.
        ended: says whether the server ends; then searches end, too.
        columns: names of the columns of all verticals, the word first; none: each has its own.
        memory: bytes that counting may take.

    Raises:
        StageFileError: there is no corpus.
    """
    site = Site(results, f"/{token}", tuple(columns), memory, ended)
    app = Starlette(
        routes=Browser(site).routes(),
        exception_handlers={CorpusprepError: site.failed, HTTPException: site.failed},
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


def serve(
    results: Path,
    port: int,
    ready: Callable[[str], None],
    columns: Sequence[str] = (),
    memory: int = MEMORY,
) -> None:
    """Serves pages over the corpora of a folder until it is interrupted.

    Args:
        results: a results folder, or the folder of a corpus.
        port: the port; 0: any that is free.
        ready: is called with the address.
        columns: names of the columns of all verticals, the word first; none: each has its own.
        memory: bytes that counting may take.

    Raises:
        StageFileError: there is no corpus.
        ConfigError: the port is taken.
    """
    token = secrets.token_urlsafe(24)
    with listening(port) as (opened, number):
        ended = threading.Event()
        app = application(results, token, number, ended.is_set, columns, memory)
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


async def _form(request: Request) -> dict[str, str]:
    """Returns the fields of a form."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _FORM_BYTES:
            raise HTTPException(413, "the form is too long")
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
