"""Which setting is better: the grid, its front, its recommendation, and going on where it stopped."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import covey
from covey import cli, comparison
from covey.comparison import Comparison, Setting
from covey.errors import InputError, OptionError
from covey.memory import SmallGroupsWarning

CHOICES: dict[str, Any] = {"quasi": ["age", "charge"], "drop_rest": True}


def patients() -> Any:
    return covey.datasets.load_patients("pyarrow").slice(0, 150)


def setting(loss: float, risk: float) -> Setting:
    return Setting(3, f"m{loss}/{risk}", 3, risk, loss, 0.3, 0.1, 0.0)


def test_the_front_and_the_recommendation() -> None:
    found = Comparison(
        (setting(1, 0.9), setting(2, 0.3), setting(3, 0.2), setting(3, 0.4), setting(40, 0.1), setting(2, 0.3))
    )
    for one in found.settings:
        beaten = any(
            o.loss <= one.loss and o.risk <= one.risk and (o.loss < one.loss or o.risk < one.risk)  # type: ignore[operator]
            for o in found.settings
        )
        assert (one in found.front) == (not beaten)
    assert found.recommended == setting(3, 0.2)  # nearest to 0 % and 0 %
    assert "m3/0.2 with k = 3" in found.reason
    alone = Comparison((setting(5, 0.5),))
    assert alone.recommended == setting(5, 0.5)
    with pytest.raises(InputError, match="no setting of the grid gave a release"):
        _ = Comparison((Setting(3, "mdav", error="no"),)).recommended


def test_a_grid_from_python_on_one_core_and_on_two() -> None:
    one = covey.compare(patients(), [3, 8], ["mdav", "pca"], processes=1, **CHOICES)
    two = covey.compare(patients(), [3, 8], ["mdav", "pca"], processes=2, **CHOICES)
    assert one == two
    assert [(s.k, s.method) for s in one.settings] == [(3, "mdav"), (3, "pca"), (8, "mdav"), (8, "pca")]
    assert all(s.k_achieved is not None and s.k_achieved >= s.k for s in one.settings)
    losses = {(s.k, s.method): s.loss or 0.0 for s in one.settings}
    assert losses[3, "mdav"] < losses[8, "mdav"]
    assert json.loads(json.dumps(one.as_dict()))["recommended"]["method"] in ("mdav", "pca")


def test_a_setting_that_fails_is_said_and_the_others_go_on() -> None:
    found = covey.compare(patients(), [3, 500], ["mdav"], processes=1, **CHOICES)
    assert found.settings[0].error is None
    assert "the table has 150 records, and k is 500" in (found.settings[1].error or "")


def test_going_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "grid.jsonl"
    first = covey.compare(patients(), [3], ["mdav"], processes=1, resume=file, **CHOICES)
    seen: list[int] = []
    run = comparison._tried

    def counted(loaded: Any, one: Setting, choices: Any) -> Setting:
        seen.append(one.k)
        return run(loaded, one, choices)

    monkeypatch.setattr(comparison, "_tried", counted)
    progress: list[tuple[int, int]] = []
    again = covey.compare(
        patients(), [3, 8], ["mdav"], processes=1, resume=file, progress=lambda a, b: progress.append((a, b)), **CHOICES
    )
    assert seen == [8]
    assert again.settings[0] == first.settings[0]
    assert progress == [(1, 2), (2, 2)]
    covey.compare(patients().slice(1), [3], ["mdav"], processes=1, resume=file, **CHOICES)  # another table
    covey.compare(patients(), [3], ["mdav"], processes=1, resume=file, **(CHOICES | {"scale": "rank"}))  # other choices
    assert seen == [8, 3, 3]
    assert "charge" not in file.read_text()
    file.write_text("no json")
    with pytest.raises(InputError, match="is no file of a comparison"):
        covey.compare(patients(), [3], ["mdav"], resume=file, **CHOICES)


def test_mistakes() -> None:
    with pytest.raises(OptionError, match="no k or no method"):
        covey.compare(patients(), [], **CHOICES)
    with pytest.raises(OptionError, match="k is 'x'"):
        covey.compare(patients(), ["x"], **CHOICES)  # type: ignore[list-item]
    with pytest.raises(OptionError, match="there is no choice 'nonsense'"):
        covey.compare(patients(), [3], nonsense=1, **CHOICES)  # type: ignore[call-arg]


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    covey.datasets.load_patients().head(150).to_csv("people.csv", index=False)
    base = [
        "compare",
        "people.csv",
        "-k",
        "3,8",
        "--method",
        "mdav,pca",
        "--quasi",
        "age,charge",
        "--drop-rest",
        "--processes",
        "1",
    ]
    assert cli.main([*base, "-o", "grid-internal.json"]) == 0
    out = capsys.readouterr().out
    assert "recommended: " in out
    assert out.count("mdav") >= 2
    assert len(json.loads(Path("grid-internal.json").read_text())["settings"]) == 4
    assert Path("grid-internal.json").stat().st_mode & 0o077 == 0
    assert cli.main([*base, "-o", "plane-internal.svg"]) == 0
    drawing = Path("plane-internal.svg").read_text()
    assert drawing.startswith("<svg")
    assert not re.search(r"href=\"http", drawing)
    capsys.readouterr()
    for extra, message in (
        (["-o", "grid-internal.json"], "exists already"),
        (["-o", "grid.json"], "needed: a name that says so, with 'internal' in it"),
        (["--resume", "grid.jsonl"], "needed: a name that says so, with 'internal' in it"),
        (["-o", "grid.doc"], "cannot be written as '.doc'"),
        (["-k", "3,x"], "needed: whole numbers"),
        (["--method", "mdav,nosuch"], "there is no method 'nosuch'"),
        (["--quasi", "agee"], "quasi names the column 'agee'"),
        (["-o", "a-internal.json", "--resume", "a-internal.json"], "have the same name"),
        (["-k", "500"], "no setting of the grid gave a release"),
    ):
        assert cli.main([*base, *extra]) == 2
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1


def test_a_file_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "grid.jsonl"
    first = covey.compare(patients(), [3, 8], "mdav", resume=file, **CHOICES)
    file.write_text(file.read_text()[:-20])
    assert covey.compare(patients(), [3, 8], "mdav", resume=file, **CHOICES) == first
    assert file.stat().st_mode & 0o077 == 0
    for bad in (tmp_path, tmp_path / "none" / "grid.jsonl"):
        with pytest.raises(covey.CoveyError):
            covey.compare(patients(), [3], "mdav", resume=bad, **CHOICES)


def test_settings_that_failed_are_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "grid.jsonl"
    with pytest.raises(InputError, match="no setting of the grid gave a release: the table has 150 records"):
        _ = covey.compare(patients(), [500], "mdav", resume=file, **CHOICES).recommended
    assert len(file.read_text().splitlines()) == 1


def ended(processes: list[str]) -> bool:
    """Whether they end within seconds, or are ended and wait for their parent only; if not, end them."""
    for _ in range(100):
        states = []
        for process in processes:
            with contextlib.suppress(OSError):  # it is gone
                states.append(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0])
        if set(states) <= {"Z"}:
            return True
        time.sleep(0.1)
    for process in processes:
        with contextlib.suppress(OSError):
            os.kill(int(process), signal.SIGKILL)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_ends_its_workers_and_goes_on_later(number: int, tmp_path: Path) -> None:
    covey.datasets.load_patients().head(150).to_csv(tmp_path / "people.csv", index=False)
    command = [
        str(Path(sys.executable).parent / "covey"),
        "compare",
        "people.csv",
        "--quasi",
        "age,charge",
        "--drop-rest",
    ]
    slow = ["--method", "mdav,search", "-k", "3,4", "--recipe", "slow.toml", "--resume", "grid-internal.jsonl"]
    (tmp_path / "slow.toml").write_text("k = 3\n[roles]\nquasi = ['age', 'charge']\n[options]\neffort = 100000000\n")
    process = subprocess.Popen([*command, *slow, "-o", "plane-internal.svg"], cwd=tmp_path, stderr=subprocess.PIPE)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    workers: list[str] = []
    for _ in range(900):
        time.sleep(0.1)
        workers = children.read_text().split() if children.exists() else []
        file = tmp_path / "grid-internal.jsonl"
        if len(workers) >= 3 and file.exists():  # the tracker of resources is one of them
            break
    time.sleep(1.0)  # all workers have begun
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"finished settings are kept in grid-internal.jsonl" in err
    assert b"covey: interrupted; no output was written" in err
    assert b"Traceback" not in err
    assert ended(workers)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grid-internal.jsonl", "people.csv", "slow.toml"]


def test_k_2_is_said_once() -> None:
    with pytest.warns(SmallGroupsWarning, match="k is 2") as told:
        covey.compare(patients(), [2, 3], ["mdav", "pca"], **CHOICES)
    assert len(told) == 1
