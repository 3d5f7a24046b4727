"""What stands before every page: who may ask, and what a browser may do with the answer.

Pages of hostile crawls are shown here, and any web page that is open in the same browser can send requests to this
machine. So an answer needs the token in the address; the Host header must name this machine (another name that leads
here is DNS rebinding); a request that changes something must come from a page of this server; and browsers are told to
run the one script of this server only, and to load nothing from elsewhere.
"""

import hmac
from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: For reports, which are files with a style sheet of their own and no script.
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; sandbox allow-same-origin allow-top-navigation-by-user-activation"
)

HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


class Guard:
    """Answers only requests that may be answered, and adds HEADERS to every answer."""

    def __init__(self, app: ASGIApp, token: str, hosts: Sequence[str]) -> None:
        """Puts a guard before an application.

        Args:
            app: the application.
            token: the first part of every address.
            hosts: values of the Host header that are names of this server, with the port.
        """
        self._app, self._token, self._hosts = app, token, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._refusal(scope) or self._app
        await answer(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return PlainTextResponse("This server answers to its own address only.", 421)
        first = scope["path"].split("/")[1] if "/" in scope["path"] else ""
        if not hmac.compare_digest(first.encode(), self._token.encode()):
            return PlainTextResponse("Not found. Use the whole address that `corpusprep browse` printed.", 404)
        if scope["method"] in ("GET", "HEAD"):
            return None
        if scope["method"] != "POST":
            return PlainTextResponse("Not allowed.", 405)
        # With no-referrer, a browser sends `Origin: null` for a form; it then says by itself where the form stands.
        site = headers.getlist("sec-fetch-site")
        own = site == ["same-origin"] if site else headers.getlist("origin") == [f"http://{hosts[0]}"]
        if not own:
            return PlainTextResponse("Only pages of this server can change something.", 403)
        return None
