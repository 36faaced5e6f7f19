"""Spark sessions that leave nothing readable behind: scratch files encrypted, no event logs, no page, no secret among the processes."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import InputError, OptionError, shown
from covey.utils.extras import load
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

PRIVATE = {
    "spark.io.encryption.enabled": "true",  # shuffles and what is persisted
    "spark.network.crypto.enabled": "true",
    "spark.authenticate": "true",
    "spark.eventLog.enabled": "false",
}
OURS = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.session.timeZone": "UTC"}
WHAT_RUNS_WHERE = (
    "Covey groups rows in executors, and plans, recounts and puts folders in place in the driver, of which Connect shows nothing to a program; "
    "needed: a classic session; run it where the driver is (spark-submit, a notebook of the cluster, or --spark with a master such as "
    "spark://host:7077, yarn or local[2])"
)
LOOPBACK = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
COMPILED_LATE = {
    "spark.driver.defaultJavaOptions": " ".join(
        f"-XX:Tier4{name}={often}"
        for name, often in (
            ("InvocationThreshold", 250_000),
            ("MinInvocationThreshold", 30_000),
            ("CompileThreshold", 750_000),
            ("BackEdgeThreshold", 2_000_000),
        )
    )
}
"""Fifty times as often as Java takes by itself a method must run before it is compiled a second time, with all that Java can do: what a short
release would spend more on than it gains, and a long one still gets. The driver's own settings (`extraJavaOptions`) come behind and decide."""


@contextlib.contextmanager
def running(master: str, *, readable_scratch: bool = False) -> Iterator[Any]:
    """The session that runs already, or one on this cluster that ends with the block."""
    active = load("pyspark.sql").SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    session = start(master, readable_scratch=readable_scratch)
    try:
        yield session
    finally:
        session.stop()


def start(master: str, *, readable_scratch: bool = False) -> Any:
    """Start a session on a cluster.

    What executors put on disk is encrypted under a key that only they have in memory, so a killed run leaves nothing readable. Spark takes
    the settings that it is started with as arguments, which all users of the machine can read: the secret of a cluster on this machine
    goes to it afterwards, through the socket of the driver, and from there to executors in their environment.

    With `readable_scratch` encryption, authentication and event logs are as the cluster has them (`spark-defaults.conf`).
    """
    if master.startswith("sc:"):
        raise OptionError(f"the master is {shown(master)}, an address of Spark Connect; {WHAT_RUNS_WHERE}")
    pyspark, sql = load("pyspark"), load("pyspark.sql")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings, secret = settings_for(master, readable_scratch=readable_scratch), {}
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    if master.startswith("local-cluster"):  # one process needs none, and other clusters hand theirs out
        os.environ["SPARK_HOME"] = str(_private_home())
        secret = {} if readable_scratch else {"spark.authenticate.secret": secrets.token_hex(32)}
    try:
        pyspark.SparkContext._ensure_initialized(conf=pyspark.SparkConf().setAll(list(settings.items())))  # noqa: SLF001
        session = sql.SparkSession.builder.config(map=settings | secret).getOrCreate()
    except Exception as error:  # noqa: BLE001
        raise OptionError(
            f"no Spark session starts on {master!r} ({type(error).__name__}); needed: a master that answers, Java 17 "
            "or later, and on clusters of Spark's own a shared secret in the settings of Spark (spark.authenticate.secret), or that scratch "
            "files may be readable there (--readable-scratch)"
        ) from None
    session.sparkContext.setLogLevel("ERROR")
    return session


def settings_for(master: str, *, readable_scratch: bool) -> dict[str, str]:
    """What a session is started with."""
    here = LOOPBACK | COMPILED_LATE if master.startswith("local") else {}
    return {"spark.master": master, "spark.app.name": "covey"} | OURS | ({} if readable_scratch else PRIVATE) | here


@functools.cache
def _private_home() -> Path:
    """Spark's programs, by links, in a folder that its user alone can enter, removed when Python ends.

    The executors of a cluster on this machine write their logs beside the programs.
    """
    programs = Path(os.environ.get("SPARK_HOME") or load("pyspark").__path__[0])
    home = Path(tempfile.mkdtemp(prefix="covey-spark-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for entry in programs.iterdir():
        if entry.name != "work":
            (home / entry.name).symlink_to(entry)
    return home


def check_session(session: SparkSession, *, readable_scratch: bool) -> list[Note]:
    """Refuse a session whose scratch files could be read, or that logs plans; what there is to note otherwise."""
    conf = session.sparkContext.getConf()
    traces = []
    if conf.get("spark.io.encryption.enabled", "false") != "true":
        traces.append("its scratch files are not encrypted (spark.io.encryption.enabled)")
    if conf.get("spark.eventLog.enabled", "false") == "true":
        traces.append("it writes event logs (spark.eventLog.enabled)")
    if traces and not readable_scratch:
        raise OptionError(
            f"the Spark session may leave original values on disk: {'; '.join(traces)}; needed: a session that does not; change "
            "its settings, or accept it (readable_scratch, --readable-scratch)"
        )
    text = f"the Spark session may leave original values on disk: {'; '.join(traces)}"
    return [Note(NoteKind.SESSION, text)] if traces else []


def check_frame(df: DataFrame) -> None:
    """Refuse what is no Spark dataframe, or streams."""
    if not isinstance(df, load("pyspark.sql").DataFrame):
        raise InputError(f"the table is a {type(df).__name__}; needed: a Spark dataframe; for others use covey.release")
    if not hasattr(df, "_jdf"):
        raise InputError(f"the dataframe is of Spark Connect; {WHAT_RUNS_WHERE}")
    if df.isStreaming:
        raise InputError("the dataframe is a stream, which never ends; needed: a table; write it out first")
