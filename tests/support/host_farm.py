"""Hosts on this machine (127.0.0.0/8) for crawlers: some with texts, others that only cost bytes."""

import gzip
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from support.archives import PROSE
from support.sentences import CZECH, ENGLISH, GERMAN

#: What a host answers: status, headers, body; None: it closes the connection.
Answer = tuple[int, dict[str, str], bytes] | None
HTML = {"Content-Type": "text/html; charset=utf-8"}


class Host:
    """A host with its requests; `path` -> answer."""

    def __init__(self, address: str, answer: Callable[[str], Answer]) -> None:
        self.requests: list[str] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host.requests.append(self.path)
                found = answer(self.path)
                if found is None:
                    self.close_connection = True
                    return
                status, headers, body = found
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:  # the crawler left after the headers
                    self.close_connection = True

            def log_message(self, *arguments: object) -> None:
                """Says nothing."""

        self.server = ThreadingHTTPServer((address, 0), Handler)
        self.server.daemon_threads = True
        self.address = address
        self.url = f"http://{address}:{self.server.server_port}"
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def start(self) -> None:
        """Begins to answer."""
        self._thread.start()

    def stop(self) -> None:
        """Ends answering."""
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()


def prose(text: str, number: int, words: int = 160) -> str:
    """Words of a text in an order of their own."""
    return " ".join(random.Random(number).choices(text.split(), k=words))


def page(title: str, paragraphs: list[str], links: list[str]) -> Answer:
    """A page with paragraphs, and links at its end."""
    body = "".join(f"<p>{text}</p>\n" for text in paragraphs) + "".join(f'<a href="{url}">{url}</a> ' for url in links)
    return 200, HTML, f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode()


def packed(answer: Answer) -> Answer:
    """The answer with its body compressed."""
    if answer is None:
        return None
    status, headers, body = answer
    return status, {**headers, "Content-Encoding": "gzip"}, gzip.compress(body, mtime=0)


class Farm:
    """Hosts of all kinds, which link to each other."""

    def __init__(self, good: int = 4, farms: int = 5, traps: int = 3, foreign: int = 3) -> None:
        self.names = Counter[str]()
        self.hosts: dict[str, Host] = {}
        self._number = 1
        for kind, count in (("good", good), ("farm", farms), ("trap", traps), ("foreign", foreign)):
            for place in range(count):
                self._add(f"{kind}{place}", getattr(self, f"_{kind}"))
        self._add("slow", self._slow)
        self._add("broken", lambda name: lambda path: None)
        self._add("outside", lambda name: lambda path: page("outside", [prose(PROSE, 0)], []))
        self.inside = [name for name in self.hosts if name != "outside"]

    def _add(self, name: str, make: Callable[[str], Callable[[str], Answer]]) -> None:
        self._number += 1
        self.hosts[name] = Host(f"127.0.0.{self._number}", make(name))

    def of(self, kind: str) -> list[Host]:
        """The hosts of a kind."""
        return [host for name, host in self.hosts.items() if name.startswith(kind)]

    def _number_of(self, path: str) -> int:
        digits = "".join(filter(str.isdigit, path))
        return int(digits or 0)

    def _good(self, name: str) -> Callable[[str], Answer]:
        seed = int(name[4:]) * 100_000

        def answer(path: str) -> Answer:
            if path == "/robots.txt":
                return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private\n"
            if path == "/away":
                return 302, {"Location": self.hosts["outside"].url + "/"}, b""
            if path == "/paper":
                return 200, {"Content-Type": "application/pdf"}, b"%PDF" + bytes(5_000)
            if path == "/large":
                return 200, HTML, b"<p>" + b"large " * 100_000
            here = self._number_of(path)
            links = [f"/{here * 3 + step}" for step in (1, 2, 3)] if here < 300 else []
            links += ["/private/1", "/away", "/paper", "/large", self.hosts["outside"].url + "/x"]
            found = page(name, [prose(PROSE + ENGLISH, seed + here * 3 + part) for part in range(3)], links)
            return packed(found) if name == "good0" else found

        return answer

    def _farm(self, name: str) -> Callable[[str], Answer]:
        def answer(path: str) -> Answer:
            here = self._number_of(path)
            links = [f"/{here * 7 + step}" for step in range(1, 60)]
            return page(name, ["Best prices", "Links"], [*links, *(host.url + "/" for host in self.of("farm"))])

        return answer

    def _trap(self, name: str) -> Callable[[str], Answer]:
        def answer(path: str) -> Answer:
            here = self._number_of(path)
            return page(name, [f"Calendar of day {here}.", PROSE * 2], [f"/day/{here + step}" for step in (1, 7, 30)])

        return answer

    def _foreign(self, name: str) -> Callable[[str], Answer]:
        text = CZECH if name.endswith("0") else GERMAN

        def answer(path: str) -> Answer:
            here = self._number_of(path)
            links = [f"/{here * 3 + step}" for step in (1, 2, 3)]
            return page(name, [prose(text, here * 3 + part) for part in range(3)], links)

        return answer

    def _slow(self, name: str) -> Callable[[str], Answer]:
        def answer(path: str) -> Answer:
            time.sleep(0.3)
            return page(name, ["Wait."], [f"/{self._number_of(path) + step}" for step in (1, 2)])

        return answer


@contextmanager
def farm(**counts: int) -> Iterator[Farm]:
    """A farm that answers."""
    made = Farm(**counts)
    for host in made.hosts.values():
        host.start()
    try:
        yield made
    finally:
        for host in made.hosts.values():
            host.stop()
