"""Measures k, l and t of a CSV file with one package, in an environment of its own. Run by questions.py.

usage: python -m benchmarks.peers.measures PACKAGE FILE QUASI,... SENSITIVE [ROWS]
ROWS leaves out the first rows, as a filter of a dataframe does. Prints one JSON line: seconds from the file to the measures.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Measures = dict[str, float]


def pycanon(file: str, quasi: list[str], sensitive: str, left_out: int) -> Measures:
    import pandas as pd
    from pycanon import anonymity

    frame = pd.read_csv(file)[left_out:]
    return {
        "k": int(anonymity.k_anonymity(frame, quasi)),
        "l": int(anonymity.l_diversity(frame, quasi, [sensitive])),
        "t": float(anonymity.t_closeness(frame, quasi, [sensitive])),
    }


def covey(file: str, quasi: list[str], sensitive: str, left_out: int) -> Measures:
    from covey.checking import check

    if left_out:  # `covey check` reads files: a filtered table is a file of its own
        import pandas as pd

        file, whole = f"{file}.filtered.csv", file
        pd.read_csv(whole)[left_out:].to_csv(file, index=False)
    found = check.check(file, check.Asked(k=1, quasi=tuple(quasi), sensitive=(sensitive,)))
    by_name = {line["measure"]: line["value"] for line in json.loads(found.to_json())["measures"]}

    def value(start: str) -> float:
        return float(next(value for name, value in by_name.items() if name.startswith(start)))

    return {"k": value("k"), "l": value("distinct l"), "t": value("t-closeness")}


PACKAGES: dict[str, Callable[[str, list[str], str, int], Measures]] = {"pycanon": pycanon, "covey": covey}


def main() -> None:
    name, file, quasi, sensitive, *rest = sys.argv[1:]
    told: dict[str, Any] = {"version": importlib.metadata.version(name)}
    start = time.perf_counter()
    try:
        told["measures"] = PACKAGES[name](file, quasi.split(","), sensitive, int(rest[0]) if rest else 0)
    except Exception as error:  # noqa: BLE001
        told["error"] = f"{type(error).__name__}: {str(error)[:110]}"
    told["seconds"] = time.perf_counter() - start
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
