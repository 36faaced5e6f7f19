"""Tests that share something dear are run by one worker, which alone starts it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SHARED = {
    "tests/web/test_choices.py::test_the_page_has_every_choice": "web",
    "tests/spark/test_columns.py::test_kept_columns_are_judged_together": "spark",
    "tests/io/test_database.py::test_a_query_in[postgresql]": "postgres",
    "tests/test_site.py::test_every_public_name_is_in_the_reference": "site",
}


def test_every_group_is_kept_together() -> None:
    """pytest-xdist writes the group behind a name. Nothing is set up or run: the plan is all that is asked for."""
    plan = [sys.executable, "-m", "pytest", "-v", "--setup-plan", "-n", "1", "--dist", "loadgroup", *SHARED]
    done = subprocess.run(plan, cwd=ROOT, capture_output=True, text=True, check=False)
    for test, group in SHARED.items():
        assert f"{test}@{group} \n" in done.stdout, done.stdout
