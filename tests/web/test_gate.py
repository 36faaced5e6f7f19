"""Who may speak to the page: the gate alone, around an application that says yes to everything."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import pytest

from covey.web.gate import COOKIE, OWNER, PREFIX, Gate

PORT = 4711
HOST = f"127.0.0.1:{PORT}"
ORIGIN = f"http://{HOST}"


class Behind:
    """The application behind the gate: remembers whose requests reached it, and reads their bodies."""

    def __init__(self) -> None:
        self.owners: list[str] = []
        self.paths: list[tuple[str, str]] = []
        self.read = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.owners.append(scope[OWNER])
        self.paths += [(value.decode(), scope["path"]) for name, value in scope["headers"] if name == PREFIX]
        more = scope["type"] == "http" and scope["method"] == "POST"
        while more:
            message = await receive()
            self.read += len(message["body"])
            more = message["more_body"]
        if scope["type"] == "http":
            headers = [(b"cache-control", b"public"), (b"content-type", b"text/html")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": b"yes"})
        else:
            await send({"type": "websocket.accept"})


class Answer:
    def __init__(self, sent: list[dict[str, Any]]) -> None:
        self.sent = sent
        self.status = sent[0].get("status", sent[0]["type"])
        self.headers = {name.decode(): value.decode() for name, value in sent[0].get("headers", ())}


def ask(
    gate: Gate,
    path: str = "/",
    *,
    kind: str = "http",
    method: str = "GET",
    body: list[bytes] | None = None,
    **headers: str,
) -> Answer:
    """Send a request through the gate, with the right Host unless another one is given."""
    target, _, query = path.partition("?")
    told = {"host": HOST} | headers
    scope = {
        "type": kind,
        "method": method,
        "path": target,
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in told.items()],
    }
    pieces = list(body or [b""])
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if kind == "websocket":
            return {"type": "websocket.connect"}
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(gate(scope, receive, send))
    return Answer(sent)


class Entered(NamedTuple):
    """What a browser has that was let in."""

    place: str
    cookie: str


def enter(gate: Gate) -> Entered:
    """The place and the key to it that a new token is exchanged for."""
    answer = ask(gate, f"/?token={gate.new_token()}")
    assert answer.status == 200
    place = answer.sent[1]["body"].decode().partition("0;url=")[2].partition('/"')[0]
    cookie, path, *_ = str(answer.headers["set-cookie"]).split("; ")
    assert path == f"Path={place}"  # no cookie for other paths, which servers on other ports could ask for
    return Entered(place, cookie)


@pytest.fixture
def behind() -> Behind:
    return Behind()


@pytest.fixture
def gate(behind: Behind) -> Gate:
    return Gate(behind, PORT, most_bytes=100)


def test_a_token_is_exchanged_for_a_place_and_its_key_once(gate: Gate, behind: Behind) -> None:
    token = gate.new_token()
    first = ask(gate, f"/?token={token}")
    assert first.status == 200  # no redirect, which would count as another site's if that site had the link
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert token not in cookie + first.sent[1]["body"].decode()  # the token leaves the address
    assert ask(gate, f"/?token={token}").status == 401
    assert ask(gate, f"/?token={token}", cookie=cookie.partition(";")[0]).status == 401
    assert behind.owners == []


def test_the_application_sees_its_own_paths_and_what_stands_before_them(gate: Gate, behind: Behind) -> None:
    place, cookie = enter(gate)
    for path in ("", "/", "/t/abc"):
        assert ask(gate, place + path, cookie=cookie, x_forwarded_prefix="/evil").status == 200
    assert ask(gate, f"{place}/ws", kind="websocket", cookie=cookie, origin=ORIGIN).status == "websocket.accept"
    assert behind.paths == [(place, path) for path in ("/", "/", "/t/abc", "/ws")]


PATHS = ["", "/", "/t/abc", "/?token=", "/?token=wrong", "/_nicegui/anything", "/t/abc/download/table"]


@pytest.mark.parametrize("path", PATHS)
def test_neither_the_key_nor_the_place_opens_anything_alone(gate: Gate, behind: Behind, path: str) -> None:
    gate.new_token()
    (place, cookie), (another_place, another_cookie) = enter(gate), enter(gate)
    assert ask(gate, place + path).status == 401
    for shown in (f"{COOKIE}=guess", f"{COOKIE}=", another_cookie):
        assert ask(gate, place + path, cookie=shown).status == 401
    for guess in ("", "/guess", another_place):
        assert ask(gate, guess + (path or "/"), cookie=cookie).status == 401
        told = ask(gate, guess + (path or "/"), kind="websocket", cookie=cookie, origin=ORIGIN)
        assert told.status == "websocket.close"
    assert behind.owners == []


def test_two_browsers_are_two_owners_whatever_cookies_others_add(gate: Gate, behind: Behind) -> None:
    one, other = enter(gate), enter(gate)
    for place, cookie in (one, other, one):
        ask(gate, f"{place}/t/abc", cookie=f"else=1; {COOKIE}=another; {cookie}; {COOKIE}=third")
    assert behind.owners[0] == behind.owners[2] != behind.owners[1]


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", "", f"localhost:{PORT}"]
)
def test_the_host_must_be_this_one(gate: Gate, behind: Behind, host: str) -> None:
    place, cookie = enter(gate)
    assert ask(gate, place, cookie=cookie, host=host).status == 421
    assert ask(gate, f"/?token={gate.new_token()}", host=host).status == 421
    assert ask(gate, place, kind="websocket", cookie=cookie, host=host, origin=ORIGIN).status == "websocket.close"
    assert behind.owners == []


OTHERS = ["http://evil.example", "null", f"https://{HOST}", "http://127.0.0.1:1", f"http://localhost:{PORT}"]


@pytest.mark.parametrize("origin", OTHERS)
def test_the_origin_must_be_this_one(gate: Gate, behind: Behind, origin: str) -> None:
    place, cookie = enter(gate)
    assert ask(gate, place, cookie=cookie, origin=origin).status == 403
    assert ask(gate, place, method="POST", cookie=cookie, origin=origin).status == 403
    assert ask(gate, place, kind="websocket", cookie=cookie, origin=origin).status == "websocket.close"
    assert behind.owners == []


def test_what_changes_something_must_say_where_it_comes_from(gate: Gate, behind: Behind) -> None:
    place, cookie = enter(gate)
    assert ask(gate, place, method="POST", cookie=cookie).status == 403
    assert ask(gate, place, kind="websocket", cookie=cookie).status == "websocket.close"
    assert behind.owners == []
    assert ask(gate, place, method="POST", cookie=cookie, origin=ORIGIN).status == 200
    assert ask(gate, place, kind="websocket", cookie=cookie, origin=ORIGIN).status == "websocket.accept"


def test_a_token_opens_no_socket(gate: Gate, behind: Behind) -> None:
    assert ask(gate, "/?token=" + gate.new_token(), kind="websocket", origin=ORIGIN).status == "websocket.close"
    assert behind.owners == []


def test_what_only_looks_at_a_link_does_not_use_it_up(gate: Gate, behind: Behind) -> None:
    token = gate.new_token()
    assert ask(gate, f"/?token={token}", method="HEAD").status == 401
    assert ask(gate, f"/?token={token}").status == 200
    assert behind.owners == []


def test_uploads_go_to_pages_of_the_same_browser(behind: Behind) -> None:
    clients: dict[str, str] = {}
    gate = Gate(behind, PORT, most_bytes=100, clients=clients)
    one, other = enter(gate), enter(gate)
    ask(gate, f"{one.place}/t/abc", cookie=one.cookie)
    clients["page"] = behind.owners.pop()
    for (place, cookie), page, status in ((one, "page", 200), (other, "page", 404), (one, "none", 404)):
        path = f"{place}/_nicegui/client/{page}/upload/7"
        assert ask(gate, path, method="POST", cookie=cookie, origin=ORIGIN).status == status
    assert behind.owners == [clients["page"]]


def test_an_application_that_answers_a_cut_off_body_is_not_heard() -> None:
    async def stubborn(_scope: Any, receive: Any, send: Any) -> None:
        try:
            await receive()
        except Exception:  # noqa: BLE001
            await send({"type": "http.response.start", "status": 500, "headers": []})
            await send({"type": "http.response.body", "body": b"Internal Server Error"})

    gate = Gate(stubborn, PORT, most_bytes=100)
    place, cookie = enter(gate)
    answer = ask(gate, place, method="POST", body=[b"x" * 101], cookie=cookie, origin=ORIGIN)
    assert [answer.status, answer.sent[1]["body"]] == [413, b"The file is too large."]
    assert len(answer.sent) == 2


def test_bodies_have_a_limit(gate: Gate, behind: Behind) -> None:
    place, cookie = enter(gate)
    asked: dict[str, Any] = {"method": "POST", "cookie": cookie, "origin": ORIGIN}
    assert ask(gate, place, body=[b"x" * 100], content_length="100", **asked).status == 200
    assert ask(gate, place, body=[b"x" * 101], content_length="101", **asked).status == 413
    assert behind.read == 100
    assert ask(gate, place, body=[b"x" * 60, b"x" * 60, b"x" * 60], **asked).status == 413  # no length was told
    assert behind.read == 160
    assert ask(gate, place, body=[b"x" * 200], content_length="much", **asked).status == 400


def test_every_answer_stays_out_of_caches_frames_and_other_sites(gate: Gate) -> None:
    place, cookie = enter(gate)
    answers = [
        ask(gate, place, cookie=cookie),
        ask(gate, "/"),
        ask(gate, f"/?token={gate.new_token()}"),
        ask(gate, "/", host="evil"),
    ]
    for answer in answers:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    names = [name for name, _ in answers[0].sent[0]["headers"]]
    assert names.count(b"cache-control") == 1
