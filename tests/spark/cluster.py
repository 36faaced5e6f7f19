"""A real Spark cluster of our own: a master, two workers and an executor process each, on loopback."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_SMALL = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # a quick start rather than a quick run


def settings(folder: Path) -> dict[str, str]:
    """What the session needs: loopback only, nothing readable on disk, no logs, quick to start."""
    return {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.eventLog.enabled": "false",
        "spark.authenticate": "true",
        "spark.authenticate.secret": "only for these tests",
        "spark.network.crypto.enabled": "true",
        "spark.io.encryption.enabled": "true",
        "spark.driver.extraJavaOptions": _SMALL,
        "spark.executor.extraJavaOptions": _SMALL,
        "spark.local.dir": str(folder / "scratch"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.maxResultSize": "1m",
        "spark.excludeOnFailure.enabled": "false",
    }


def make_home(folder: Path) -> Path:
    """Spark writes `work` beside its programs: give it a folder of links to them."""
    found = importlib.util.find_spec("pyspark")
    assert found is not None
    assert found.origin is not None
    home = folder / "home"
    home.mkdir()
    for entry in Path(found.origin).parent.iterdir():
        (home / entry.name).symlink_to(entry)
    return home


@contextlib.contextmanager
def cluster(master: str = "local-cluster[2,1,1024]", **more: str) -> Iterator[Any]:
    """A session on a cluster that ends with the block, and its folder with it."""
    from pyspark.sql import SparkSession

    folder = Path(tempfile.mkdtemp(prefix="covey-spark-"))
    (folder / "scratch").mkdir()
    mine = {
        "SPARK_HOME": str(make_home(folder)),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    before = {name: os.environ.get(name) for name in mine}
    os.environ.update(mine)
    try:
        builder = SparkSession.builder.master(master).appName("covey tests")
        for name, value in (settings(folder) | more).items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        try:
            yield session
        finally:
            session.stop()
    finally:
        for name, old in before.items():
            os.environ.pop(name, None) if old is None else os.environ.update({name: old})
        shutil.rmtree(folder, ignore_errors=True)


def executors(session: Any) -> dict[str, int]:
    """Executor id to process, of those that the session's own cluster runs."""
    found = {}
    for entry in Path("/proc").iterdir():
        words = _command(entry)
        if "--executor-id" in words and _descends(int(entry.name), session.sparkContext._gateway.proc.pid):
            found[words[words.index("--executor-id") + 1]] = int(entry.name)
    return found


def _command(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_text().split("\0") if process.name.isdigit() else []
    except OSError:  # it has ended
        return []


def _descends(process: int, ancestor: int) -> bool:
    while process > 1:
        if process == ancestor:
            return True
        try:
            process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False
