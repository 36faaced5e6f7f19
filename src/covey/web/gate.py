"""`Gate`: who may speak to the page. Every request passes here before anything else sees it."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping

    Message = MutableMapping[str, Any]
    Scope = Message
    """What ASGI says of a request."""
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

OWNER = "covey.owner"
"""Where the scope of a request says whose it is."""
COOKIE = "covey"
INSIDE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={home}">'
    '<title>Covey</title><a href="{home}">Covey</a></html>'
)
"""The answer to a token: a page that goes on by itself. A browser that was sent here by another site would not show the new cookie
to a redirect, which still counts as that site's."""
SAFE = ("GET", "HEAD")
PREFIX = b"x-forwarded-prefix"
"""Where NiceGUI looks for what stands before its addresses."""
UPLOADS = "/_nicegui/client/"
"""Where NiceGUI takes uploads: the name of the page follows."""
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws://{host}; frame-ancestors 'none'; base-uri 'none'; "
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

    A link with a token is good once and is exchanged for two secrets: a place, which begins the path of every address, and the key to
    it, a cookie for that place alone. Every request needs both. A browser shows its cookies to every port of a host, so to servers of
    other users, too; but not under a path that those cannot name. And an address seen later, in a history, opens nothing without the key.
    Host and Origin must be this server's, which stops other sites in the same browser (rebinding, forged requests). `localhost` is not
    this server: it can lead to ::1, where anybody may listen.
    Bodies have a limit; every answer carries headers that keep it out of caches, frames and other sites.

    >>> gate = Gate(None, 8080, most_bytes=1000)
    >>> gate.origin, len(gate.new_token()) >= 43
    ('http://127.0.0.1:8080', True)
    """

    def __init__(self, app: App, port: int, *, most_bytes: int, clients: Mapping[str, str] | None = None) -> None:
        self.app, self.most_bytes = app, most_bytes
        self.entered: Callable[[], object] | None = None
        """Called when a browser was let in."""
        self.clients = {} if clients is None else clients
        """Whose the open pages are, by NiceGUI's names for them."""
        self.host = f"127.0.0.1:{port}"
        self.origin = f"http://{self.host}"
        self._tokens: set[str] = set()
        self._keys: dict[str, str] = {}
        """The key to each place. The place also says whose a request is."""
        self._headers = [(name.encode(), text.format(host=self.host).encode()) for name, text in HEADERS.items()]

    def new_token(self) -> str:
        """A token that lets one browser in, once."""
        token = secrets.token_urlsafe(32)
        self._tokens.add(token)
        return token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if scope["type"] == "websocket":
            await (self._close(receive, send) if refused else self.app(_inside(scope), receive, send))
            return
        send = self._with_headers(send)
        if refused:
            await _answer(send, *refused)
        elif _token(scope) is not None:
            await self._enter(scope, send)
        else:
            await self._hand_on(_inside(scope), receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is not let through."""
        headers = dict(scope["headers"])
        if headers.get(b"host", b"").decode("latin-1") != self.host:
            return 421, "This page answers to 127.0.0.1 only."
        origin = headers.get(b"origin")
        speaks = scope["type"] == "websocket" or scope["method"] not in SAFE
        if (origin is None and speaks) or (origin is not None and origin.decode("latin-1") != self.origin):
            return 403, "This request comes from another site."
        if _token(scope) is not None:
            return None
        owner, path = _place(scope)
        key = self._keys.get(owner, "")
        if not key or not any(secrets.compare_digest(key.encode(), shown) for shown in _shown_keys(scope)):
            return 401, "Open the link that `covey web` prints; a link is good once."
        if path.startswith(UPLOADS) and self.clients.get(path.split("/")[3]) != owner:
            return 404, "There is no such page."
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            return 400, "The length of the request is no number."
        if int(length) > self.most_bytes:
            return 413, f"The file is larger than {self.most_bytes // 2**20} MB, which is what fits the memory here."
        return None

    async def _enter(self, scope: Scope, send: Send) -> None:
        """Exchange a token for a place and the key to it."""
        token = str(_token(scope))
        known = [good for good in self._tokens if secrets.compare_digest(good.encode(), token.encode())]
        if not known:
            await _answer(send, 401, "This link was used before; `covey web` prints a new one each time.")
            return
        self._tokens.discard(known[0])
        place, key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._keys[place] = key
        cookie = f"{COOKIE}={key}; Path=/{place}; HttpOnly; SameSite=Strict"
        inside = INSIDE.format(home=f"/{place}/")
        await _answer(send, 200, inside, [(b"set-cookie", cookie.encode())], kind="html")
        if self.entered is not None:
            self.entered()

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send) -> None:
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


def _token(scope: Scope) -> str | None:
    """The token that is shown, by who goes there: what only looks at a link does not use it up."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
        return None
    shown = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True).get("token", [])
    return shown[0] if shown else None


def _place(scope: Scope) -> tuple[str, str]:
    """The place that an address names, and the path from there."""
    place, _, path = scope["path"].removeprefix("/").partition("/")
    return place, f"/{path}"


def _shown_keys(scope: Scope) -> list[bytes]:
    """All cookies of our name: servers on other ports can add theirs."""
    cookies = [value for name, value in scope["headers"] if name == b"cookie"]
    pairs = [text.strip().partition(b"=") for text in b";".join(cookies).split(b";")]
    return [value for name, _, value in pairs if name == COOKIE.encode()]


def _inside(scope: Scope) -> Scope:
    """The request as the application sees it: its owner, the path from its place, and the place as what stands before every address."""
    place, path = _place(scope)
    headers = [(name, value) for name, value in scope["headers"] if name != PREFIX]
    return {
        **scope,
        OWNER: place,
        "path": path,
        "raw_path": None,
        "headers": [*headers, (PREFIX, f"/{place}".encode())],
    }


async def _answer(
    send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]] | None = None, *, kind: str = "plain"
) -> None:
    all_headers = [(b"content-type", f"text/{kind}; charset=utf-8".encode()), *(headers or [])]
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    await send({"type": "http.response.body", "body": text.encode()})
