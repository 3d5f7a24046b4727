"""A server of files on this machine that breaks connections."""

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote


class Files:
    """The files of a server by path, and how it behaves.

    Attributes:
        files: they may be changed while it runs.
        troubles: what is wrong with the next answers, in order: `cut` (half of the bytes), `none` (the connection is
            closed), `wrong` (zeros in place of the bytes), `start` (a part from the first byte on), `changed` (the part
            that was asked for, of whatever file is there now), `length:X` (X is announced), `no length`, `to:URL` (a
            redirect), or a status, such as 503. Then all is well.
        requests: (path, Range) of each request.
        sent: bytes of bodies.
        pause: the seconds that it asks for with a status.
        ranges: whether parts of files are sent.
        storage: whether it answers as S3 does: entity tags are MD5 digests, folders are listed, a version is asked for.
        signature: what the query of an address must have, if anything.
        reason: the words behind a status; None: the usual ones.
        keeps: whether connections are kept.
        connections: how many there were.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.troubles: list[str | int] = []
        self.requests: list[tuple[str, str | None]] = []
        self.sent = 0
        self.pause = "7"
        self.ranges = True
        self.storage = False
        self.signature = ""
        self.reason: str | None = None
        self.keeps = False
        self.connections = 0
        self.url = ""


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[Files]:
    """A server of these files."""
    served = Files(files)

    class Handler(BaseHTTPRequestHandler):
        def setup(self) -> None:
            served.connections += 1
            self.protocol_version = "HTTP/1.1" if served.keeps else "HTTP/1.0"
            super().setup()

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            served.requests.append((self.path, asked))
            trouble = served.troubles.pop(0) if served.troubles else ""
            if trouble == "none":
                return
            path, _, query = self.path.partition("?")
            path = path if path in served.files else unquote(path)
            if served.storage and "list-type=2" in query and not isinstance(trouble, int):
                self._list(path, parse_qs(query))
                return
            refused = 403 if served.signature not in query else 404 if path not in served.files else 0
            if isinstance(trouble, int) or refused:
                self.send_response(trouble if isinstance(trouble, int) else refused, served.reason)
                self.send_header("Retry-After", served.pause.encode().decode("latin-1"))
                self.end_headers()
                return
            if isinstance(trouble, str) and trouble.startswith("to:"):
                self.send_response(302, served.reason)
                self.send_header("Location", trouble[3:])
                self.end_headers()
                return
            data = served.files[path]
            tag = f'"{hashlib.new("md5" if served.storage else "sha1", data).hexdigest()}"'
            first, last = 0, len(data) - 1
            if served.storage and self.headers.get("If-Match", tag) != tag:
                self.send_response(412)
                self.end_headers()
                return
            same = self.headers.get("If-Range", tag) == tag or trouble == "changed"
            partly = asked is not None and served.ranges and same
            if partly and asked is not None:
                begin, _, end = asked.removeprefix("bytes=").partition("-")
                first, last = 0 if trouble == "start" else int(begin), int(end or last)
            part = data[first : last + 1]
            self.send_response(206 if partly else 200)
            if partly:
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
            announced = trouble[7:] if isinstance(trouble, str) and trouble.startswith("length:") else str(len(part))
            if trouble != "no length":
                self.send_header("Content-Length", announced)
            self.send_header("ETag", tag)
            self.send_header("Last-Modified", "Thu, 01 Feb 2024 00:00:00 GMT")
            if served.storage:
                self.send_header("x-amz-request-id", "1")
            self.end_headers()
            if self.command == "HEAD":
                return
            part = part[: len(part) // 2] if trouble == "cut" else part
            part = bytes(len(part)) if trouble == "wrong" else part
            served.sent += len(part)
            self.wfile.write(part)

        def _list(self, bucket: str, query: dict[str, list[str]]) -> None:
            """Lists the objects of a bucket, a thousand at a time."""
            start = f"{bucket.rstrip('/')}/"
            prefix, after = query.get("prefix", [""])[0], query.get("continuation-token", [""])[0]
            keys = sorted(path.removeprefix(start) for path in served.files if path.startswith(start + prefix))
            left = [key for key in keys if key > after]
            more = f"<NextContinuationToken>{left[999]}</NextContinuationToken>" if len(left) > 1000 else ""
            items = "".join(
                f"<Contents><Key>{escape(key)}</Key><LastModified>2024-02-01T00:00:00.000Z</LastModified>"
                f"<ETag>&quot;{hashlib.md5(served.files[start + key]).hexdigest()}&quot;</ETag>"
                f"<Size>{len(served.files[start + key])}</Size></Contents>"
                for key in left[:1000]
            )
            cut = f"<IsTruncated>{str(bool(more)).lower()}</IsTruncated>{more}"
            page = f"<ListBucketResult>{cut}{items}</ListBucketResult>"
            self.send_response(200)
            self.send_header("Content-Length", str(len(page.encode())))
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *arguments: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
