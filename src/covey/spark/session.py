"""Spark sessions that leave nothing readable behind: scratch files encrypted, no event logs, no page."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from typing import TYPE_CHECKING, Any

from covey.errors import InputError, OptionError
from covey.extras import load

if TYPE_CHECKING:
    from collections.abc import Iterator

PRIVATE = {
    "spark.io.encryption.enabled": "true",  # shuffles and what is persisted
    "spark.network.crypto.enabled": "true",
    "spark.authenticate": "true",
    "spark.eventLog.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@contextlib.contextmanager
def running(master: str) -> Iterator[Any]:
    """The session that runs already, or one on this cluster that ends with the block."""
    active = load("pyspark.sql").SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    session = start(master)
    try:
        yield session
    finally:
        session.stop()


def start(master: str) -> Any:
    """Start a session on a cluster.

    What executors put on disk is encrypted under a key that only they have in memory, so a killed run leaves nothing readable.
    """
    sql = load("pyspark.sql")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master(master).appName("covey")
    for name, value in PRIVATE.items():
        builder = builder.config(name, value)
    if master.startswith("local"):  # elsewhere the cluster hands secrets out
        builder = builder.config("spark.authenticate.secret", secrets.token_hex(32))
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    builder = builder.config("spark.sql.session.timeZone", "UTC")
    try:
        session = builder.getOrCreate()
    except Exception as error:  # noqa: BLE001
        msg = (
            f"no Spark session starts on {master!r} ({type(error).__name__}); needed: a master that answers, Java 17 "
            "or later, and on clusters of Spark's own a shared secret in the settings of Spark (spark.authenticate.secret)"
        )
        raise OptionError(msg) from None
    session.sparkContext.setLogLevel("ERROR")
    return session


def check_session(session: Any, *, readable_scratch: bool) -> list[str]:
    """Refuse a session whose scratch files could be read, or that logs plans; what there is to note otherwise."""
    conf = session.sparkContext.getConf()
    found = []
    if conf.get("spark.io.encryption.enabled", "false") != "true":
        found.append("its scratch files are not encrypted (spark.io.encryption.enabled)")
    if conf.get("spark.eventLog.enabled", "false") == "true":
        found.append("it writes event logs (spark.eventLog.enabled)")
    if found and not readable_scratch:
        msg = (
            f"the Spark session may leave original values on disk: {'; '.join(found)}; needed: a session that does not; change "
            "its settings, or accept it (readable_scratch)"
        )
        raise OptionError(msg)
    return [f"the Spark session may leave original values on disk: {'; '.join(found)}"] if found else []


def check_frame(df: Any) -> None:
    """Refuse what is no Spark dataframe, or streams."""
    if not isinstance(df, load("pyspark.sql").DataFrame):
        msg = f"the table is a {type(df).__name__}; needed: a Spark dataframe; for others use covey.release"
        raise InputError(msg)
    if not hasattr(df, "_jdf"):
        msg = "the dataframe is of Spark Connect, which cannot say how the session is set up; needed: one of a classic session"
        raise InputError(msg)
    if df.isStreaming:
        msg = "the dataframe is a stream, which never ends; needed: a table; write it out first"
        raise InputError(msg)
