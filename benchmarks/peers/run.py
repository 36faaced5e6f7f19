"""Loss, time, memory and correctness of Covey and its peers, on the same tables in one run.

usage: python -m benchmarks.peers.run [--only packages sdcmicro] [--quick] [--limit SECONDS] [--microagg1d PYTHON] [--clusters PYTHON] [--pycanon PYTHON]
where the interpreters have microagg1d; k-means-constrained, anonypyx and scikit-learn; pycanon. sdcMicro is asked by Rscript, beside Covey again. A
package that is not there is left out with the reason. Writes benchmarks/results/peers.json and peers-sdcmicro.json; with --quick only the
smallest sizes, printed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.harness.measure import ROOT, write
from benchmarks.peers import render
from benchmarks.peers.cells import Package, ours, sdcmicro_methods
from benchmarks.peers.grid import Row, Run
from benchmarks.peers.questions import measure_all
from benchmarks.peers.sdcmicro import measure_sdcmicro
from benchmarks.peers.tables import SIZES, in_space, on_a_line

SECTIONS = ("packages", "sdcmicro")


def packages_of(arguments: argparse.Namespace) -> tuple[dict[str, list[Package]], list[str]]:
    """Who is asked what, and who is not there."""
    missing = []
    line, space = [ours("covey")], [ours("covey"), ours("covey, mdav")]
    if Path(arguments.microagg1d).exists():
        line += [Package(name, arguments.microagg1d) for name in ("microagg1d", "microagg1d, exact")]
    else:
        missing.append("microagg1d is not installed here")
    if Path(arguments.clusters).exists():
        others = ("k-means-constrained", "anonypyx", "scikit-learn k-means, merged")
        line += [Package(name, arguments.clusters) for name in others]
        space += [Package(name, arguments.clusters) for name in others]
    else:
        missing.append("k-means-constrained, anonypyx and scikit-learn are not installed here")
    return {"line": line, "space": space, "table": [ours("covey, search")]}, missing


def measure_packages(arguments: argparse.Namespace, sizes: tuple[int, ...]) -> Row:
    packages, missing = packages_of(arguments)
    begun = time.perf_counter()
    cells = Run(packages, arguments.limit)
    cells.hard()
    absent = cells.tables()
    cells.sizes("line", sizes, on_a_line)
    cells.sizes("space", sizes, in_space)
    measured, unmeasured = measure_all({"pycanon": arguments.pycanon}, sizes, arguments.limit)
    return {
        "limit": arguments.limit,
        "rows": cells.rows,
        "measures": measured,
        "missing": [*missing, *unmeasured, *(f"{name}.csv is not in ../shared/data" for name in absent)],
        "minutes": (time.perf_counter() - begun) / 60,
    }


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=SECTIONS, default=SECTIONS)
    parser.add_argument("--quick", action="store_true", help="the smallest sizes only; prints, and writes nothing")
    parser.add_argument("--limit", type=float, default=100.0, help="seconds for a call (100)")
    for name, folder in (("microagg1d", ".venv-peers"), ("clusters", ".venv-clusters"), ("pycanon", ".venv-pycanon")):
        parser.add_argument(f"--{name}", default=str(ROOT / folder / "bin" / "python"), metavar="PYTHON")
    return parser.parse_args()


def main() -> None:
    arguments = options()
    sizes = SIZES[:1] if arguments.quick else SIZES
    if "packages" in arguments.only:
        content = measure_packages(arguments, sizes)
        if arguments.quick:
            print(render.peers(content))
        else:
            write("peers", "peers", content, "--only packages")
    if "sdcmicro" in arguments.only:
        methods, reason = sdcmicro_methods()
        if not methods:
            print(reason)
            return
        content = measure_sdcmicro(methods, sizes, arguments.limit)
        if arguments.quick:
            print(render.sdcmicro(content))
        else:
            write("peers-sdcmicro", "peers", content, "--only sdcmicro")


if __name__ == "__main__":
    main()
