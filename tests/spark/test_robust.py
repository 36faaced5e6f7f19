"""Executors die, drivers are small, and nothing readable is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from covey.errors import CoveyError, MissingExtraError, OptionError
from covey.parts import survey
from covey.spark import release
from covey.spark.session import check_session
from covey.spark.shipping import collect, known_error, map_batches
from covey.utils.extras import load
from tests.spark.cluster import executors
from tests.spark.tables import mixed_table

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "5e" * 32
CHOICES: dict[str, Any] = {
    "k": 4,
    "quasi": ["age", "price"],
    "strata": ["ward"],
    "random_ids": ["name"],
    "keep": ["row"],
    "accept": ["row"],
    "sensitive": ["diagnosis"],
    "drop_rest": True,
    "entropy": SECRET,
}


def by_row(df: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = df.toArrow().sort_by("row").to_pylist()
    return rows


def test_a_killed_executor_changes_nothing(spark: Any, tmp_path: Path) -> None:
    table = mixed_table(2000).append_column("row", pa.array(np.arange(2000)))
    for part in range(4):
        pq.write_table(table.slice(500 * part, 500), tmp_path / f"{part}.parquet")
    df = spark.read.parquet(str(tmp_path))
    first = release(df, piece_rows=200, **CHOICES)
    wanted, k = by_row(first.table), first.certificate.k
    first.close()
    before = executors(spark)
    killers: list[threading.Thread] = []

    def kill() -> None:
        tracker = spark.sparkContext.statusTracker()
        while not any(tracker.getStageInfo(stage).numActiveTasks for stage in tracker.getActiveStageIds()):
            time.sleep(0.01)
        os.kill(before[max(before)], signal.SIGKILL)

    def step(what: str) -> None:
        if what == "grouping":
            killers.append(threading.Thread(target=kill))
            killers[0].start()

    again = release(df, piece_rows=200, progress=step, **CHOICES)
    killers[0].join()
    assert by_row(again.table) == wanted
    assert again.certificate.k == k
    again.close()
    after = executors(spark)
    assert max(before) not in after
    assert set(after) - set(before), "another executor took its place"


def test_the_driver_gets_no_rows(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark ends a job whose results exceed 1 MiB here; the table is six times as large, the sample is not."""
    assert spark.conf.get("spark.driver.maxResultSize") == "1m"
    functions = load("pyspark.sql.functions")
    df = spark.range(150_000).select(*[functions.rand(seed).alias(f"x{seed}") for seed in range(5)])
    with pytest.raises(Exception, match="maxResultSize"):
        df.collect()
    monkeypatch.setattr(survey, "SAMPLE", 2**12)
    for quasi in (["x0"], ["x0", "x1"]):
        found = release(
            df, k=5, quasi=quasi, drop_rest=True, piece_rows=30_000, method="auto" if len(quasi) == 1 else "split"
        )
        assert found.rows == 150_000
        assert found.certificate.k >= 5
        found.close()


def test_sessions_that_leave_readable_files_are_refused(spark: Any) -> None:
    def session(**conf: str) -> Any:
        told = {name.replace("_", "."): value for name, value in conf.items()}
        return SimpleNamespace(sparkContext=SimpleNamespace(getConf=lambda: told))

    assert check_session(spark, readable_scratch=False) == []
    with pytest.raises(OptionError, match="scratch files are not encrypted"):
        check_session(session(), readable_scratch=False)
    with pytest.raises(OptionError, match="writes event logs"):
        check_session(
            session(spark_io_encryption_enabled="true", spark_eventLog_enabled="true"), readable_scratch=False
        )
    assert "not encrypted" in str(check_session(session(), readable_scratch=True)[0])


def test_errors_of_executors_show_no_value(spark: Any) -> None:
    def fail(_batches: Any) -> Any:
        msg = "cannot convert 4711"
        raise ValueError(msg)

    with pytest.raises(CoveyError, match="an executor failed with ValueError") as caught:
        collect(map_batches(spark.range(3), fail, "x long"))
    assert "4711" not in str(caught.value)


MARK = "Abernathy-Quillfeather"
NUMBER = 123_456_789.25


@pytest.mark.usefixtures("spark")  # it needs what a cluster needs
def test_a_killed_run_leaves_nothing_to_read(tmp_path: Path) -> None:
    n = 40_000
    rng = np.random.default_rng(1)
    table = pa.table(
        {
            "name": [f"{MARK} {place}" for place in range(n)],
            "income": NUMBER + rng.integers(0, 10**6, n) / 4,
            "age": rng.integers(0, 99, n),
        }
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "scratch").mkdir()
    pq.write_table(table, tmp_path / "in" / "part.parquet")
    command = [
        sys.executable,
        "-c",
        "from covey.cli import run; run()",
        "release",
        str(tmp_path / "in"),
        "-o",
        str(tmp_path / "out"),
        "-k",
        "5",
    ]
    command += ["--quasi", "income,age", "--keep", "name", "--accept", "name", "--spark", "local[2]"]
    environment = os.environ | {"SPARK_LOCAL_DIRS": str(tmp_path / "scratch"), "TMPDIR": str(tmp_path / "scratch")}
    environment = {name: value for name, value in environment.items() if name != "SPARK_HOME"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as run:
        try:
            shuffled = _wait_for_shuffle(tmp_path / "scratch", run)
        finally:
            os.killpg(run.pid, signal.SIGKILL)
    assert shuffled, "it was killed before rows were on disk"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "scratch"]
    left = [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()]
    assert left
    secrets = [MARK.encode(), *(np.float64(value).tobytes() for value in np.unique(table.column("income"))[:50])]
    for path in left:
        data = path.read_bytes()
        assert not any(secret in data for secret in secrets), path.name


def _wait_for_shuffle(scratch: Path, run: subprocess.Popen[bytes]) -> bool:
    """Whether files with rows appear while it runs."""
    end = time.monotonic() + 600
    while time.monotonic() < end and run.poll() is None:
        sizes = [path.stat().st_size for path in scratch.rglob("shuffle_*.data")]
        if sum(sizes) > 2**20:
            return True
        time.sleep(0.05)
    return False


def test_executors_without_covey_are_told_what_they_lack() -> None:
    lacking = known_error(RuntimeError("... 'Abernathy' ...\nModuleNotFoundError: No module named 'covey'\n"))
    assert isinstance(lacking, MissingExtraError)
    assert "the executors has no package covey; needed: Covey and its packages there" in str(lacking)
    assert "Shipping Covey" in str(known_error(RuntimeError("[PYTHON_VERSION_MISMATCH] 3.11 3.12")))
    assert "Abernathy" not in str(lacking) + str(known_error(RuntimeError("No module named 'Abernathy'")))
