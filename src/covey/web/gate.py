"""`Gate`: who may speak to the page. Every request passes here before anything else sees it."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

OWNER = "covey.owner"
"""Where the scope of a request says whose it is."""
INSIDE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">'
    '<title>Covey</title><a href="/">Covey</a></html>'
)
"""The answer to a token: a page that goes on by itself. A browser that was sent here by another site would not show the new cookie
to a redirect, which still counts as that site's."""
SAFE = ("GET", "HEAD")
UPLOADS = "/_nicegui/client/"
"""Where NiceGUI takes uploads: the name of the page follows."""
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' {sockets}; frame-ancestors 'none'; base-uri 'none'; "
        "form-action 'self'; object-src 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class TooLargeError(Exception):
    """A body that is longer than is allowed, noticed while it is read."""


class Gate:
    """An ASGI application around another: lets through what comes from the page itself, and from nobody else.

    A link with a token is good once and is exchanged for a cookie, so that a link seen later, in a history, opens nothing. Host and Origin must be this server's, which stops other sites in the same browser (rebinding, forged requests).
    Bodies have a limit; every answer carries headers that keep it out of caches, frames and other sites.

    >>> gate = Gate(None, 8080, most_bytes=1000)
    >>> gate.origins[0], len(gate.new_token()) >= 43
    ('http://127.0.0.1:8080', True)
    """

    def __init__(self, app: Any, port: int, *, most_bytes: int, clients: Mapping[str, str] | None = None) -> None:
        self.app, self.most_bytes = app, most_bytes
        self.entered: Callable[[], Any] | None = None
        """Called when a browser was let in."""
        self.clients = {} if clients is None else clients
        """Whose the open pages are, by NiceGUI's names for them."""
        self.hosts = [f"{name}:{port}" for name in ("127.0.0.1", "localhost")]
        self.origins = [f"http://{host}" for host in self.hosts]
        self.cookie = f"covey-{port}"  # cookies do not know ports
        self._tokens: set[str] = set()
        self._owners: dict[str, str] = {}
        sockets = " ".join(f"ws://{host}" for host in self.hosts)
        self._headers = [(name.encode(), text.format(sockets=sockets).encode()) for name, text in HEADERS.items()]

    def new_token(self) -> str:
        """A token that lets one browser in, once."""
        token = secrets.token_urlsafe(32)
        self._tokens.add(token)
        return token

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if scope["type"] == "websocket":
            await (self._close(receive, send) if refused else self.app(scope, receive, send))
            return
        send = self._with_headers(send)
        if refused:
            await _answer(send, *refused)
        elif _has_token(scope):
            await self._enter(scope, send)
        else:
            await self._hand_on(scope, receive, send)

    def _refusal(self, scope: Any) -> tuple[int, str] | None:
        """Why a request is not let through; and whose it is, where it is."""
        headers = dict(scope["headers"])
        if headers.get(b"host", b"").decode("latin-1") not in self.hosts:
            return 421, "This page answers to 127.0.0.1 only."
        origin = headers.get(b"origin")
        speaks = scope["type"] == "websocket" or scope["method"] not in SAFE
        if (origin is None and speaks) or (origin is not None and origin.decode("latin-1") not in self.origins):
            return 403, "This request comes from another site."
        if _has_token(scope):
            return None
        owner = self._owners.get(_cookie(headers, self.cookie))
        if owner is None:
            return 401, "Open the link that `covey web` prints; a link is good once."
        scope[OWNER] = owner
        if scope["path"].startswith(UPLOADS) and self.clients.get(scope["path"].split("/")[3]) != owner:
            return 404, "There is no such page."
        told = headers.get(b"content-length", b"0")
        if not told.isdigit():
            return 400, "The length of the request is no number."
        if int(told) > self.most_bytes:
            return 413, f"The file is larger than {self.most_bytes // 2**20} MB, which is what fits the memory here."
        return None

    async def _enter(self, scope: Any, send: Send) -> None:
        """Exchange a token for a cookie."""
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        known = [held for held in self._tokens if secrets.compare_digest(held.encode(), token.encode())]
        if not known and _cookie(dict(scope["headers"]), self.cookie) in self._owners:
            await _answer(send, 303, "", [(b"location", b"/")])  # the same browser once more
            return
        if not known:
            await _answer(send, 401, "This link was used before; `covey web` prints a new one each time.")
            return
        self._tokens.discard(known[0])
        key = secrets.token_urlsafe(32)
        self._owners[key] = secrets.token_urlsafe(16)
        cookie = f"{self.cookie}={key}; Path=/; HttpOnly; SameSite=Strict"
        await _answer(send, 200, INSIDE, [(b"set-cookie", cookie.encode())], kind="html")
        if self.entered is not None:
            self.entered()

    async def _hand_on(self, scope: Any, receive: Receive, send: Send) -> None:
        read, started, over = 0, False, False

        async def counted() -> Message:
            nonlocal read, over
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.most_bytes:
                over = True
                raise TooLargeError
            return message

        async def watched(message: Message) -> None:
            nonlocal started
            if not over or started:  # what the application makes of a body that is cut off is not sent
                started = True
                await send(message)

        with contextlib.suppress(TooLargeError):
            await self.app(scope, counted, watched)
        if over and not started:
            await _answer(send, 413, "The file is too large.")

    def _with_headers(self, send: Send) -> Send:
        ours = {name for name, _ in self._headers}

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                theirs = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in ours]
                message["headers"] = [*theirs, *self._headers]
            await send(message)

        return sent

    async def _close(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.close", "code": 1008})


def _has_token(scope: Any) -> bool:
    """Whether a token is shown, by who goes there: what only looks at a link does not use it up."""
    asks = scope["type"] == "http" and scope["method"] == "GET"
    return asks and scope["path"] == "/" and b"token=" in scope["query_string"]


def _cookie(headers: dict[bytes, bytes], name: str) -> str:
    for part in headers.get(b"cookie", b"").decode("latin-1").split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""


async def _answer(
    send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]] | None = None, *, kind: str = "plain"
) -> None:
    told = [(b"content-type", f"text/{kind}; charset=utf-8".encode()), *(headers or [])]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": text.encode()})
