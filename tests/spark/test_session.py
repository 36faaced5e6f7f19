"""The session that Covey starts: what other users of the machine can read of it while it runs."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from covey.cli import app
from covey.errors import InputError, OptionError
from covey.spark.session import COMPILED_LATE, LOOPBACK, PRIVATE, check_frame, settings_for, start
from covey.utils.extras import load
from tests.conftest import need_program


def test_scratch_is_private_unless_it_may_be_read() -> None:
    private = settings_for("spark://host:7077", readable_scratch=False)
    assert {name: private[name] for name in PRIVATE} == PRIVATE
    readable = settings_for("spark://host:7077", readable_scratch=True)
    assert set(private) - set(readable) == set(PRIVATE)  # as the cluster has them
    here = set(settings_for("local[2]", readable_scratch=True)) - set(readable)
    assert here == set(LOOPBACK | COMPILED_LATE)


def _no_jvm(_frame: Any, name: str) -> Any:
    """What a dataframe of Connect says of attributes of the JVM."""
    raise AttributeError(name)


def test_spark_connect_is_told_what_runs_where(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="an address of Spark Connect; Covey groups rows in executors.*spark-submit"):
        start("sc://host:15002")
    frame = type("DataFrame", (load("pyspark.sql").DataFrame,), {"__new__": object.__new__, "__getattr__": _no_jvm})()
    with pytest.raises(InputError, match="the dataframe is of Spark Connect; .*needed: a classic session"):
        check_frame(frame)
    asked = ["release", str(tmp_path), "-o", str(tmp_path / "out"), "-k", "5", "--quasi", "age"]
    done = CliRunner().invoke(app, [*asked, "--readable-scratch"])
    assert done.exit_code != 0
    assert "--readable-scratch has no effect without --spark" in str(done.exception)


PROGRAM = """
import json, os
from pathlib import Path
from covey.spark.session import running
from tests.spark.cluster import executors

def read(path):
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""  # it has ended

with running("local-cluster[1,1,1024]") as session:
    rows = session.range(4, numPartitions=2).rdd.map(lambda row: row.id).count()
    secret = session.sparkContext.getConf().get("spark.authenticate.secret")
    home = Path(os.environ["SPARK_HOME"])
    driver, found = session.sparkContext._gateway.proc.pid, executors(session)
    shown = {path.parent.name: read(path) for path in Path("/proc").glob("[0-9]*/cmdline")}
    print(json.dumps({
        "rows": rows,
        "secret": secret,
        "known": "SparkSubmit" in shown[str(driver)] and len(found) == 1,
        "showing": [text for text in shown.values() if secret in text],
        "environments": [Path(f"/proc/{one}/environ").stat().st_mode for one in found.values()],
        "logs": [str(path.relative_to(home)) for path in home.glob("work/*/*/stderr")],
        "written": [str(path) for path in home.glob("work/**/*") if secret in read(path)],
        "mode": home.stat().st_mode,
        "home": str(home),
        "hosts": ["--hostname\\0" + "127.0.0.1\\0" in shown[str(one)] for one in found.values()],
    }))
"""


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="the list of processes is elsewhere")
def test_the_secret_stands_in_no_list_of_processes_and_logs_are_private() -> None:
    need_program("java")
    told = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK", "PYSPARK"))}
    told["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=told)
    seen = json.loads(run.stdout)
    assert (seen["rows"], len(seen["secret"]), seen["known"]) == (4, 64, True)
    assert seen["showing"] == seen["written"] == []
    assert all(stat.S_IMODE(mode) == 0o400 for mode in seen["environments"])  # executors have it there
    assert seen["hosts"] == [True]  # on loopback
    assert len(seen["logs"]) == 1
    assert stat.S_IMODE(seen["mode"]) == 0o700
    assert not Path(seen["home"]).exists()
