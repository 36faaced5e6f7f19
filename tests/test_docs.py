"""The examples of the README, the docs and the gallery run and print what the pages say; links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import typer

from covey.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SCRIPTS = sorted((ROOT / "docs" / "gallery").glob("plot_*.py"))

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def run_shell(commands: str) -> str:
    """What the commands print, `covey` being the one of this environment; a command that fails ends them."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(
        ["/bin/sh", "-ec", commands],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_examples_run(
    page: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block of python or sh runs; a block of output that follows is all that it prints."""
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"x": np.random.default_rng(0).random(100)}
    printed, all_printed = "", ""
    for kind, block in FENCE.findall(page.read_text(encoding="utf-8")):
        if kind == "python":
            exec(block, namespace)  # noqa: S102
            printed = capsys.readouterr().out
            all_printed += printed
        elif kind == "sh":
            printed = run_shell(block)
        elif kind == "output":
            assert printed == block
    if page.name == "README.md":
        assert all_printed == "5 optimal\noptimal 1.0 [[1, 2, 3], [4, 5, 6]]\n"


def test_the_commands_that_the_readme_opens_with_work_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release with requirements and its check, on a table of the columns that they name."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pair = text.partition("## A release")[2].partition("```\n")[2].partition("```")[0]
    assert [line.split()[:2] for line in pair.splitlines()] == [["covey", "release"], ["covey", "check"]]
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    illnesses = rng.choice(["flu", "asthma", "diabetes", "gout"], 200, p=[0.7, 0.1, 0.1, 0.1])
    rows = zip(rng.integers(18, 95, 200), rng.lognormal(10, 0.5, 200).round(), illnesses, strict=True)
    lines = [f"person {place},{age},{income:.0f},{illness}" for place, (age, income, illness) in enumerate(rows)]
    (tmp_path / "people.csv").write_text("\n".join(["name,age,income,diagnosis", *lines, ""]), encoding="utf-8")
    printed = run_shell(pair)
    assert "k = 5 (asked: 5): holds" in printed
    assert "(asked: 2): holds" in printed
    assert (tmp_path / "report.html").exists()
    assert "name" not in pq.read_schema(tmp_path / "out.parquet").names


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target and not target.endswith("examples/index.rst"):  # made when the site is built
            assert (page.parent / target).exists(), target


def options(command: Any) -> Iterator[str]:
    """The options of a command and of all commands below it, but for those that are not shown."""
    for parameter in command.params:
        if not getattr(parameter, "hidden", False):  # an earlier spelling
            yield from (*parameter.opts, *parameter.secondary_opts)
    for inner in getattr(command, "commands", {}).values():
        yield from options(inner)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_options_exist(page: Path) -> None:
    """An option that a page names is one of some command."""
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page.read_text(encoding="utf-8")))
    assert named <= {"--help", *options(typer.main.get_command(app))}


@pytest.mark.parametrize("script", SCRIPTS, ids=_name)
def test_gallery_runs(script: Path, tmp_path: Path) -> None:
    environment = os.environ | {"MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
