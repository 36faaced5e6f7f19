"""Shared by all tests: how a missing program or folder is reported, the profile of Hypothesis, and how much is asked."""

from __future__ import annotations

import os
import shutil
import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "covey", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("covey")

EXHAUSTIVE = bool(os.environ.get("COVEY_EXHAUSTIVE"))
"""Whether everything is asked that can be asked, for hours: make exhaustive."""


def pytest_configure() -> None:
    """Nothing enters anyone's ledger, examples in docstrings included.

    Ctrl-C reaches the programs that tests start also where these tests run in the background of a shell, which ignores it.
    """
    os.environ["COVEY_LEDGER"] = "off"
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups: marked later, a test has none
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One cluster and one browser for all tests of their folders: a group is run by one worker, which alone starts them.

    Groups start first, those of most tests before the others; then the longest test, with all that is left beside it.
    """
    items.sort(key=lambda item: item.path.name != "test_sanitizers.py")
    for item in items:
        if item.path.parent.name in ("spark", "web"):
            item.add_marker(pytest.mark.xdist_group(item.path.parent.name))


@pytest.fixture(autouse=True)
def _measured_where_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests measure where they ask for it: measures of each of their thousands of releases would take minutes."""
    monkeypatch.setattr("covey.memory.USUALLY", None)


def need_program(*names: str) -> str:
    """The path of the first of these programs that is installed; else skip, or fail where CI=true."""
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return path
    reason = f"needs one of the programs: {', '.join(names)}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
