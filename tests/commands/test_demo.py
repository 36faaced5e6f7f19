"""What `make demo` prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from covey.commands.demo import demo_command
from covey.commands.methods import methods
from covey.errors import OutputError

README = Path(__file__).parents[2] / "README.md"


def test_it_makes_a_release_and_says_where_the_report_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    demo_command(tmp_path / "demo")
    printed = capsys.readouterr().out
    assert "3000 simulated hospital stays" in printed
    assert "k = 5 achieved" in printed
    assert "report.html" in printed
    assert {path.name for path in (tmp_path / "demo").iterdir()} == {"release.csv", "report.html", "certificate.json"}
    with pytest.raises(OutputError, match="exists already"):
        demo_command(tmp_path / "demo")
    demo_command(tmp_path / "demo", force=True)


def test_the_readme_says_what_it_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    demo_command(Path("build") / "demo")
    assert f"```\n{capsys.readouterr().out}```\n" in README.read_text(encoding="utf-8")


def test_every_method_is_listed_with_its_options() -> None:
    listed = methods()
    assert listed["search"][1] == ["effort", "restarts", "seed"]
    assert "each-column" not in listed
    assert all(text for text, _ in listed.values())
