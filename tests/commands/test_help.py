"""How the program is called: `python -m covey`, `-h` everywhere, and what a shell completes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from covey.cli import main
from covey.utils.version import version

COMMANDS = ("release", "check", "compare", "recipe", "methods", "demo", "web")
NETWORK = ("release", "degree", "microaggregate")


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "covey", *words]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def test_the_module_is_the_program() -> None:
    assert run("--version").stdout == f"covey {version()}\n"
    wrong = run("release", "nowhere.csv")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words", [(), *((name,) for name in COMMANDS), ("network",), *(("network", name) for name in NETWORK)]
)
def test_help_has_a_short_name(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for sign in ("-h", "--help"):
        assert main([*words, sign]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[0].startswith(f"Usage: {' '.join(('covey', *words))} ")


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("covey rel", "release"), ("covey network mic", "microaggregate"), ("covey release --sens", "--sensitive")],
)
def test_a_shell_completes_commands_and_options(typed: str, wanted: str) -> None:
    place = str(len(typed.split()) - 1)
    done = run(_COVEY_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=place)
    assert wanted in done.stdout.split()
    assert done.stderr == ""
