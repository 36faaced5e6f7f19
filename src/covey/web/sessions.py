"""`Sessions`: all sessions of a server, each known to its owner only."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from covey.errors import InputError
from covey.web.session import Session
from covey.web.worker import Spare

if TYPE_CHECKING:
    from pathlib import Path

    from nicegui import Client

    from covey.web.source import Source


class Sessions:
    """All sessions by name: random, so that it cannot be guessed, and useless to who is not the owner."""

    MOST = 16

    def __init__(self, folder: Path, given: Source | None = None) -> None:
        self.folder, self.spare = folder, Spare()
        self._given = given
        self._open: dict[str, Session] = {}
        self.clients: dict[str, str] = {}
        """Whose the open pages are, by NiceGUI's names for them."""

    def new(self, owner: str) -> Session:
        """A session; where there are too many, the oldest that nobody looks at is closed.

        The first alone can open the file of the command line.
        """
        idle = [session for session in self._open.values() if not session.clients]
        if len(self._open) >= self.MOST:
            if not idle:
                raise InputError(f"{self.MOST} tabs are open; close one first")
            self.end(idle[0])
        session = Session(owner, self.folder, self.spare, self._given)
        self._given = None
        self._open[session.id] = session
        return session

    def find(self, key: str, owner: str) -> Session | None:
        """The session of that name, if it is this owner's."""
        session = self._open.get(key)
        return session if session is not None and secrets.compare_digest(session.owner, owner) else None

    def show(self, session: Session, client: Client) -> None:
        """Know of a page that shows a session, for as long as it is open."""

        def left() -> None:
            del self.clients[client.id]
            session.clients -= 1
            session.rest_later()

        self.clients[client.id] = session.owner
        session.clients += 1
        client.on_delete(left)

    def end(self, session: Session) -> None:
        """Close a session and forget it."""
        self._open.pop(session.id, None)
        session.close()

    def close(self) -> None:
        """Close all of them."""
        self.spare.close()
        for session in list(self._open.values()):
            self.end(session)
