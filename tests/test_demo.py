"""What `make demo` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey import demo

if TYPE_CHECKING:
    import pytest


def test_it_says_what_was_gained(capsys: pytest.CaptureFixture[str]) -> None:
    demo.main()
    printed = capsys.readouterr().out
    assert "3000 simulated hospital stays" in printed
    assert "optimal" in printed
    assert printed.count("times as much") == 3
