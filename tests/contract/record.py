"""Records anew what every engine makes of every recipe, and prints which recipes changed: `make contract RECORD=1`.

With the names of recipes as arguments, of these alone.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from tests.contract import engines
from tests.contract.recipes import CASES, Case
from tests.contract.records import FOLDER, differences, record, recorded
from tests.spark.cluster import cluster


def through_all(case: Case, session: Any) -> dict[str, Any]:
    """Engine to what it makes of a recipe, as it stands in a record."""
    found = {"spark": engines.run(case, engines.spark, session)}
    for engine in (engines.memory, engines.file):
        with tempfile.TemporaryDirectory() as folder:
            found[engine.__name__] = engines.run(case, engine, Path(folder))
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return plain


def main(names: list[str]) -> int:
    os.environ["COVEY_LEDGER"] = "off"
    warnings.simplefilter("ignore")
    for old in FOLDER.glob("*.json"):
        if old.stem not in CASES:
            old.unlink()
            print(f"{old.stem}: no longer there")
    with cluster() as session:
        for name, case in CASES.items() if not names else [(name, CASES[name]) for name in names]:
            now, before = through_all(case, session), recorded(name)
            for engine in now:
                for line in differences(before.get(engine, {}), now[engine]) if before else ["new"]:
                    print(f"{name}, {engine}: {line}", flush=True)
            record(name, now)
    gc.collect()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
