"""All sessions of a server: each its owner's alone, and not too many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from covey.errors import CoveyError
from covey.web.sessions import Sessions
from covey.web.source import Source

if TYPE_CHECKING:
    from pathlib import Path


def test_a_session_is_its_owners_alone(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    mine, yours = sessions.new("me"), sessions.new("you")
    assert mine.folder != yours.folder
    assert mine.folder.stat().st_mode & 0o777 == 0o700
    assert sessions.find(mine.id, "me") is mine
    assert sessions.find(mine.id, "you") is None
    assert sessions.find("guess", "me") is None
    sessions.end(mine)
    assert sessions.find(mine.id, "me") is None
    assert not mine.folder.exists()
    sessions.close()
    assert list(tmp_path.iterdir()) == []


def test_the_file_of_the_command_line_is_the_first_session_s_alone(tmp_path: Path) -> None:
    given = Source(str(tmp_path / "people.csv"), "people.csv", "table", ".csv")
    sessions = Sessions(tmp_path, given)
    assert [sessions.new(owner).given for owner in ("me", "me", "you")] == [given, None, None]


def test_too_many_sessions_close_the_oldest_that_nobody_looks_at(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    all_of_them = [sessions.new("me") for _ in range(Sessions.MOST)]
    for one in all_of_them:
        one.clients = 1
    with pytest.raises(CoveyError, match="tabs are open; close one first"):
        sessions.new("me")
    all_of_them[3].clients = 0
    sessions.new("me")
    assert [sessions.find(one.id, "me") is None for one in all_of_them].index(True) == 3
    assert sum(sessions.find(one.id, "me") is None for one in all_of_them) == 1
