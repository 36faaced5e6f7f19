"""The server of the page: loopback only, behind its gate, with nothing on the disk but a private folder."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError, InputError
from covey.utils.extras import load
from covey.web.address import is_step
from covey.web.downloads import OFFERED
from covey.web.gate import OWNER, Gate
from covey.web.page import page
from covey.web.private import memory_budget, private_folder, write_private
from covey.web.sessions import Sessions
from covey.web.ui import ui

if TYPE_CHECKING:
    from fastapi import Request
    from nicegui import App

    from covey.web.session import Session
    from covey.web.source import Source

LOOPBACK = "127.0.0.1"
FORM = 2**16
"""What a form takes around a file, in bytes."""
REDIRECT = (
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
    '<meta http-equiv="refresh" content="0;url={link}"><title>Covey</title><a href="{link}">Covey</a>'
)
"""What the browser is given: a file that the user alone can read. The link itself would stand in the list of processes."""


def build(folder: Path, port: int, given: Source | None, most_bytes: int) -> tuple[Gate, Sessions]:
    """The application behind its gate, and its sessions. Once in a process: NiceGUI has one application."""
    os.environ["NICEGUI_STORAGE_PATH"] = str(folder / "storage")  # read when NiceGUI is loaded
    nicegui, sessions = load("nicegui"), Sessions(folder, given)
    logging.getLogger("nicegui").setLevel(logging.ERROR)  # its warnings name addresses
    _add_pages(sessions, most_bytes)
    _add_downloads(nicegui.app, sessions)
    nicegui.app.on_shutdown(sessions.close)  # before the server waits for those who wait for workers
    app = load("fastapi").FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    nicegui.ui.run_with(
        app, title="Covey", dark=None, language="en-US", show_welcome_message=False, reconnect_timeout=10.0
    )
    return Gate(app, port, most_bytes=most_bytes + FORM, clients=sessions.clients), sessions


def _add_pages(sessions: Sessions, most_bytes: int) -> None:
    """The entrance, which makes a session for every tab; and the page of a session, which a reload finds again."""
    redirect = load("fastapi.responses").RedirectResponse

    @ui.page("/", title="Covey")
    def entrance() -> Any:
        try:
            session = sessions.new(ui.context.client.request.scope[OWNER])
        except CoveyError as error:
            ui.label(str(error))
            return None
        if session.given is not None:
            session.open(session.given)
        return redirect(f"/t/{session.id}", status_code=303)

    @ui.page("/t/{key}", title="Covey", language="en-US")
    def tab(key: str, step: str = "") -> Any:
        session = sessions.find(key, ui.context.client.request.scope[OWNER])
        if session is None:
            return redirect("/", status_code=303)
        if is_step(session, step):
            session.go(step)
        sessions.show(session, ui.context.client)
        page(session, most_bytes)
        return None


def _add_downloads(app: App, sessions: Sessions) -> None:
    answers = load("fastapi.responses")

    def download(request: Request) -> Any:
        asked = request.path_params
        place = file_behind(sessions.find(asked["key"], request.scope[OWNER]), asked["name"])
        if place is None:
            return answers.PlainTextResponse("There is no such file.", status_code=404)
        return answers.FileResponse(place, filename=place.name)

    app.add_route("/t/{key}/download/{name}", download)


def file_behind(session: Session | None, name: str) -> Path | None:
    """The file behind a name that is offered; None for any other name, and before there is a release."""
    if session is None or session.source is None:
        return None
    if name == "original" and session.source.is_example:
        return Path(session.source.path)
    offered = OFFERED[session.source.kind]
    if session.released is None or name not in offered:
        return None
    place = session.released["folder"] / offered[name].file.format(suffix=session.released["suffix"])
    return place if place.is_file() else None


def run(given: Source | None, port: int, *, browser: bool = True) -> None:
    """Serve the page until it is interrupted; then end all that runs and remove all files."""
    load("nicegui")  # or say what to install, before anything begins
    with contextlib.suppress(KeyboardInterrupt), private_folder() as folder, listen(port) as bound:
        port = bound.getsockname()[1]
        gate, sessions = build(folder, port, given, memory_budget())

        def link() -> str:
            return f"http://{LOOPBACK}:{port}/?token={gate.new_token()}"

        redirect = folder / "open.html"

        def entered() -> None:
            redirect.unlink(missing_ok=True)
            say(f"for another browser: {link()}")

        gate.entered, first = entered, link()
        say(
            f"Covey is at {first}\nThe link is good once, on this machine only. Ctrl-C ends the page and removes its files."
        )
        if browser:  # beside: some browsers hold up who opens them until they are closed
            write_private(redirect, REDIRECT.format(link=first))
            threading.Thread(target=webbrowser.open, args=(redirect.as_uri(),), daemon=True).start()
        threading.Thread(target=sessions.spare.fill, daemon=True).start()
        try:
            serve(gate, bound)
        finally:
            sessions.close()
    say("ended; all files of the page are removed")


def serve(gate: Gate, bound: socket.socket) -> None:
    """Serve until a signal ends it. No request is logged: addresses hold tokens and names of sessions."""
    uvicorn = load("uvicorn")
    config = uvicorn.Config(
        gate,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        ws_max_size=2**22,
    )
    server = uvicorn.Server(config)
    if hasattr(signal, "SIGHUP"):  # the terminal was closed: ended like by the signals that the server knows
        signal.signal(signal.SIGHUP, server.handle_exit)
    server.run(sockets=[bound])  # which raises the signal again when it has ended


def listen(port: int) -> socket.socket:
    """A socket on loopback; port 0 takes any that is free."""
    bound = socket.socket()
    own = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)  # Windows: or others could bind the same port
    bound.setsockopt(socket.SOL_SOCKET, own, 1)
    try:
        bound.bind((LOOPBACK, port))
        bound.listen()  # a browser that comes before the server is ready waits
    except (OSError, OverflowError):
        bound.close()
        msg = f"port {port} cannot be used; needed: one that is free; leave --port out to take any"
        raise InputError(msg) from None
    return bound


def say(text: str) -> None:
    """Tell whoever started the page."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
