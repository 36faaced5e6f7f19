"""The server as a program: where it listens, what it leaves on the disk, what it serves to whom."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from covey.cli import main
from covey.errors import MissingExtraError
from covey.utils.extras import load
from covey.web.server import file_behind, listen
from covey.web.sessions import Sessions
from covey.web.source import Source, example
from tests.web.serving import home, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.serving import Served


@contextlib.contextmanager
def let_in(link: str) -> Iterator[httpx.Client]:
    with httpx.Client(follow_redirects=True, timeout=30) as client:
        client.base_url = home(link, client.get(link).text)
        yield client


def test_it_listens_on_loopback_only() -> None:
    with listen(0) as bound:
        assert bound.getsockname()[0] == "127.0.0.1"
        with pytest.raises(OSError, match="refused"), socket.socket() as other:
            other.connect(("127.0.0.2", bound.getsockname()[1]))


def test_what_is_served_is_private(page_server: Served) -> None:
    with let_in(page_server.link()) as client:
        first, again = client.get("/"), client.get("/")
        assert first.url != again.url  # two tabs, two sessions
        asset = str(client.base_url.join(next(part for part in first.text.split('"') if "/_nicegui/" in part)))
        for answer in (first, client.get(asset), client.get("/none")):
            assert answer.headers["cache-control"] == "no-store"
            assert "default-src 'self'" in answer.headers["content-security-policy"]
        with httpx.Client() as stranger:
            for url in (first.url, asset):
                assert stranger.get(url).status_code == 401
        for name in ("table", "original", "..%2F..%2Fetc%2Fpasswd", "%2Fetc%2Fpasswd", "upload.csv"):
            assert client.get(f"{first.url}/download/{name}").status_code == 404
        assert client.get("/docs").status_code == 404
        assert client.get("/openapi.json").status_code == 404
    logged = "".join(page_server.said)
    assert not any(word in logged for word in ("/none", "openapi", "passwd", "not found"))  # no request is logged


def status_of(client: httpx.Client, method: str, path: str, **headers: str) -> int:
    """The status of a bare request, with the headers that are given and no others."""
    host, port = client.base_url.host, client.base_url.port
    lines = [
        f"{method} {client.base_url.path.rstrip('/')}{path} HTTP/1.1",
        f"Host: {host}:{port}",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    with socket.create_connection((host, port or 80), timeout=30) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return int(connection.recv(4096).split()[1])


def test_sockets_and_long_bodies_pass_the_same_gate(page_server: Served) -> None:
    with let_in(page_server.link()) as client:
        own = str(client.base_url.join("/")).rstrip("/")
        cookie = "; ".join(f"{one.name}={one.value}" for one in client.cookies.jar)
        asked = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec_WebSocket_Version": "13",
            "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        }
        path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        assert status_of(client, "GET", path, **asked, Origin=own) == 403
        assert status_of(client, "GET", path, **asked, Cookie=cookie) == 403
        assert status_of(client, "GET", path, **asked, Cookie=cookie, Origin="http://evil.example") == 403
        assert status_of(client, "GET", path, **asked, Cookie=cookie, Origin=own) == 101
        assert status_of(client, "POST", "/", Cookie=cookie, Origin=own, Content_Length=str(10**13)) == 413


def test_downloads_have_names_and_not_paths(tmp_path: Path) -> None:
    session = Sessions(tmp_path).new("me")
    assert file_behind(None, "table") is None
    session.source = Source(str(tmp_path / "secret.csv"), "secret.csv", "table", ".csv")
    (tmp_path / "secret.csv").write_text("x")
    folder = session.folder / "release"
    folder.mkdir()
    for name in ("release.csv", "other.csv", "certificate.json"):
        (folder / name).write_text(name)
    assert file_behind(session, "table") is None  # before there is a release
    session.take_release({"folder": folder, "suffix": ".csv"})
    assert file_behind(session, "table") == folder / "release.csv"
    assert file_behind(session, "certificate") == folder / "certificate.json"
    for name in (
        "other.csv",
        "release.csv",
        "../secret.csv",
        str(tmp_path / "secret.csv"),
        "original",
        "report",
        "command",
        "",
    ):
        assert file_behind(session, name) is None
    session.source = example("table", session.folder)
    assert file_behind(session, "original") == session.folder / "patients.csv"


def test_nothing_is_stored_where_it_was_started(page_server: Served, folder: Path) -> None:
    with let_in(page_server.link()) as client:
        client.get("/")
        (private,) = folder.iterdir()  # no .nicegui, no other file
        assert private.name.startswith("covey-web-")
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert not (private / "storage").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_file_of_the_command_line_is_opened_and_nothing_is_left_at_the_end(tmp_path: Path, number: int) -> None:
    folder = tmp_path / "served"
    folder.mkdir()
    table = tmp_path / "people.csv"
    table.write_text("age,who\n" + "".join(f"{20 + row % 50},P{row}\n" for row in range(200)), encoding="utf-8")
    with served(folder, str(table)) as page:
        with let_in(page.link()) as client:
            client.get("/")
            (private,) = folder.iterdir()
            (session,) = (path for path in private.iterdir() if path.is_dir())
            if number == signal.SIGINT:  # the others end it in the middle
                _wait_for_text(client, f"/t/{session.name}", "Role of age")
        children = Path(f"/proc/{page.process.pid}/task/{page.process.pid}/children").read_text(encoding="utf-8")
        page.process.send_signal(number)
        assert page.process.wait(30) == 0
        assert list(folder.iterdir()) == []
        assert [child for child in children.split() if _lives(child)] == []
        page.end()
        assert any("all files of the page are removed" in line for line in page.said)


def _wait_for_text(client: httpx.Client, path: str, text: str) -> None:
    for _ in range(200):
        if text in client.get(path).text:
            return
        time.sleep(0.1)
    pytest.fail(f"{text} never appeared")


def _lives(process: str) -> bool:
    status = Path(f"/proc/{process}/status")
    for _ in range(50):
        if not status.exists() or "zombie" in status.read_text(encoding="utf-8"):
            return False
        time.sleep(0.1)
    return True


def test_the_browser_is_opened_with_a_file_that_holds_the_link_and_nobody_waits_for_it(tmp_path: Path) -> None:
    folder, opened = tmp_path / "served", tmp_path / "opened"
    folder.mkdir()
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\nexec sleep 30 >/dev/null 2>&1\n', encoding="utf-8")
    program.chmod(0o700)
    with served(folder, BROWSER=str(program)) as page:
        link = page.link()
        for _ in range(200):
            if opened.exists() and opened.read_text(encoding="utf-8"):
                break
            time.sleep(0.1)
        given = opened.read_text(encoding="utf-8").strip()
        assert "token" not in given  # others see it in the list of processes
        redirect = Path(given.removeprefix("file://"))
        assert f"0;url={link}" in redirect.read_text(encoding="utf-8")
        assert stat.S_IMODE(redirect.stat().st_mode) == 0o600
        with let_in(link):
            assert not redirect.exists()


def test_wrong_options_are_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["web", str(tmp_path / "none.csv"), "--no-browser"]) == 2
    assert "there is no file 'none.csv'" in capsys.readouterr().err
    assert main(["web", "--network", "--no-browser"]) == 2
    assert "--network is given without a file" in capsys.readouterr().err
    with listen(0) as bound:
        assert main(["web", "--no-browser", "--port", str(bound.getsockname()[1])]) == 2
    assert "cannot be used; needed: one that is free" in capsys.readouterr().err
    assert main(["web", "--no-browser", "--port", "99999"]) == 2


def test_without_the_extra_its_name_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nicegui", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'covey\[web\]'"):
        load("nicegui")


def test_the_command_line_does_not_load_the_page() -> None:
    code = "import sys, covey.cli; print(sorted({'nicegui', 'fastapi', 'covey.web.server'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ.copy()
    )
    assert done.stdout == "[]\n"
