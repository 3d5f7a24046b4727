"""Serves the pages of `browse` in a thread."""

import http.client
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from corpusprep.inspection.browse.server import ADDRESS, application, listening

TOKEN = "a-token"


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True)
class Served:
    """A server that runs."""

    port: int

    @property
    def address(self) -> str:
        """Where it answers, without a slash at the end."""
        return f"http://{ADDRESS}:{self.port}/{TOKEN}"

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Sends a request for a path under the token, or for another one if it begins with //."""
        connection = http.client.HTTPConnection(ADDRESS, self.port, timeout=60)
        try:
            whole = path[1:] if path.startswith("//") else f"/{TOKEN}{path}"
            connection.request(method, whole, body, dict(headers or {}))
            answer = connection.getresponse()
            text = answer.read().decode("utf-8")
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text)
        finally:
            connection.close()

    def post(self, path: str, body: str) -> Answer:
        """Sends a form as a page of the server does."""
        return self.ask(path, "POST", body, {"Origin": f"http://{ADDRESS}:{self.port}"})


@contextmanager
def served(results: Path) -> Iterator[Served]:
    """Serves the corpora of a folder while the block runs."""
    with listening() as (opened, port):
        app = application(results, TOKEN, port)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
        thread.start()
        try:
            yield Served(port)
        finally:
            server.should_exit = True
            thread.join()
