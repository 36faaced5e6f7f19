"""A PostgreSQL server of our own, on loopback, for as long as the tests run."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import need_program

if TYPE_CHECKING:
    from collections.abc import Iterator


def _program(name: str) -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(installed[-1]) if installed else need_program(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a database."""
    initdb, pg_ctl = _program("initdb"), _program("pg_ctl")
    folder = Path(tempfile.mkdtemp(prefix="covey-postgres-"))
    user: dict[str, Any] = {}
    if os.geteuid() == 0:  # the server refuses to run as root
        user = {"user": "postgres"}
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    quiet: dict[str, Any] = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "check": True,
        "cwd": folder,
        "timeout": 60,
    }
    try:
        subprocess.run([initdb, "-D", folder / "data", "-A", "trust", "-U", "covey"], **quiet, **user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        subprocess.run(
            [pg_ctl, "-D", folder / "data", "-w", "-o", options, "-l", folder / "log", "start"], **quiet, **user
        )
        try:
            yield f"postgresql://covey:hidden-password@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([pg_ctl, "-D", folder / "data", "-m", "immediate", "stop"], **quiet, **user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
