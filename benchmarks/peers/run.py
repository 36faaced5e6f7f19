"""Loss, time, memory and correctness of Covey and its peers, on the same tables in one run.

usage: python -m benchmarks.peers.run [--quick] [--limit SECONDS] [--microagg1d PYTHON] [--clusters PYTHON] [--pycanon PYTHON]
where the interpreters have microagg1d; k-means-constrained, anonypyx and scikit-learn; pycanon. sdcMicro is asked by Rscript. A package
that is not there is left out with the reason. Writes benchmarks/results/peers.json; with --quick only the smallest sizes, printed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness.measure import ROOT, write
from benchmarks.peers.answers import Answer, check, least_loss, loss_of, mdav_labels, shared_groups, unlike_mdav
from benchmarks.peers.cells import SDCMICRO, Package, ours, run, sdcmicro_methods
from benchmarks.peers.disclosure import compare
from benchmarks.peers.questions import measure_all
from benchmarks.peers.render import peers as rendered
from benchmarks.peers.tables import KS, SIZES, hard_in_space, hard_on_a_line, in_space, not_to_be_grouped, on_a_line
from tests.space.tables import load_table

if TYPE_CHECKING:
    from fractions import Fraction

TABLES = ("tarragona", "census", "eia")
EXACT_UP_TO = 10**5  # beyond it the optimum by whole numbers takes minutes; the least loss of the run stands for it
LARGE = 10**6  # in space only one k is asked for
OPTIMAL = ("covey", "microagg1d", "microagg1d, exact")  # who says that the loss on a line is the least
MDAV = ("covey, mdav", "anonypyx", f"{SDCMICRO}, mdav")  # who says that it is MDAV
DEFINITION_UP_TO = 10**4  # MDAV by its definition takes minutes beyond
GROWING = ("line", "space", "table")  # kinds of tables that come in growing sizes
Row = dict[str, Any]


class Run:
    """Goes through the cells; a package that was over the limit, or would be, is not asked for more records."""

    def __init__(self, packages: dict[str, list[Package]], limit: float) -> None:
        self.packages, self.limit = packages, limit
        self.rows: list[Row] = []
        self.taken: dict[tuple[str, str], tuple[int, int, float]] = {}  # the last call: n, k, seconds
        self.mdav: dict[tuple[str, str, int], np.ndarray] = {}  # our groups, by kind, table and k

    def sizes(self, kind: str, sizes: tuple[int, ...], make: Any) -> None:
        """The same kind of table at growing sizes."""
        for n in sizes:
            X = make(n)
            for k in KS if kind == "line" or n < LARGE else KS[1:2]:
                optimum = least_loss(X[:, 0], k) if kind == "line" and n <= EXACT_UP_TO else None
                mdav = loss_of(X, mdav_labels(X, k)) if kind == "space" and n <= DEFINITION_UP_TO else None
                for package in self.packages[kind]:
                    self.cell(package, kind, f"{n:.0e}", X, k, optimum=optimum, mdav=mdav)

    def tables(self) -> list[str]:
        """The tables of the literature; those that are not there."""
        found = {name: load_table(name) for name in TABLES}
        for name, X in found.items():
            if X is not None:
                for k in KS:
                    mdav = loss_of(X, mdav_labels(X, k))
                    for package in [*self.packages["space"], *self.packages["table"]]:
                        self.cell(package, "table", name, X, k, mdav=mdav)
        return [name for name, X in found.items() if X is None]

    def hard(self) -> None:
        """Small inputs with one thorn each."""
        for k in (KS[0], KS[-1]):
            for name, X in hard_on_a_line(k).items():
                optimum = least_loss(X[:, 0], k)
                for package in self.packages["line"]:
                    self.cell(package, "hard line", name, X, k, optimum=optimum)
            for name, X in hard_in_space(k).items():
                for package in self.packages["space"]:
                    self.cell(package, "hard space", name, X, k)
        for name, X in not_to_be_grouped(5).items():
            for package in self.packages["line"]:
                self.cell(package, "refused", name, X, 5)

    def cell(
        self,
        package: Package,
        kind: str,
        table: str,
        X: np.ndarray,
        k: int,
        *,
        optimum: Fraction | None = None,
        mdav: float | None = None,
    ) -> None:
        """Ask one package; what says that it is optimal or MDAV must be that."""
        row: Row = {"package": package.name, "kind": kind, "table": table, "n": len(X), "d": X.shape[1], "k": k}
        row["not_run"] = self.hopeless(package.name, kind, len(X))
        if not row["not_run"]:
            told, labels = run(package, X, k, self.limit)
            row |= told
            failed = "over" in told or "error" in told
            self.taken[package.name, kind] = (len(X), k, self.limit if failed else told["seconds"])
            exact = optimum if package.name in OPTIMAL else None
            answer = check(X, labels, k, exact) if labels is not None else None
            row |= judged(row, X, answer)
            if answer is not None and mdav is not None and package.name in MDAV:
                row["wrong"] += unlike_mdav(answer.loss, mdav)
            if labels is not None and package.name in MDAV and not row["wrong"]:
                row["shared"] = shared_groups(labels, self.mdav.setdefault((kind, table, k), labels))
        self.rows.append(row)
        print(brief(row), flush=True)

    def hopeless(self, name: str, kind: str, rows: int) -> str:
        """Why a package is not asked: its last call was over the limit, or so slow that more records would be; a failure counts as that."""
        n, k, took = self.taken.get((name, kind), (rows, 0, 0.0))
        if kind not in GROWING or took * max(rows / n, 1) < self.limit:
            return ""
        return f"{'over' if took >= self.limit else f'{took:.0f} s'} at n = {n:.0e}, k = {k}"


def judged(row: Row, X: np.ndarray, answer: Answer | None) -> Row:
    """What is wrong with an outcome."""
    if row["kind"] == "refused":
        return {"wrong": ["grouped without a word"] if answer is not None else []}
    if answer is None:
        return {"wrong": [f"failed: {row['error']}"] if "error" in row else []}
    total = float(((X - X.mean(axis=0)) ** 2).sum())
    percent = 100 * answer.loss / total if total > 0 and np.isfinite(total) else None
    return {"percent": percent, "groups": answer.groups, "smallest": answer.smallest, "wrong": list(answer.wrong)}


def brief(row: Row) -> str:
    head = f"{row['kind']:10} {row['table']:18} k={row['k']:<3} {row['package']:28}"
    if row["not_run"] or "over" in row:
        return f"{head} {row['not_run'] or 'over the limit'}"
    percent = row.get("percent")
    told = "" if percent is None else f"{percent:9.4f} %"
    seconds = row.get("seconds", float("nan"))
    return f"{head} {seconds:9.3f} s {row.get('peak_mib', 0):7.0f} MiB {told} {'; '.join(row['wrong'])}"


def packages_of(
    arguments: argparse.Namespace, methods: list[str], reason: str
) -> tuple[dict[str, list[Package]], list[str]]:
    """Who is asked what, and who is not there; `methods` of sdcMicro, or the reason why there are none."""
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
    line += [Package(f"{SDCMICRO}, mafast", "Rscript")] if methods else []
    space += [Package(f"{SDCMICRO}, {method}", "Rscript") for method in methods]
    missing += [reason] if reason else []
    return {"line": line, "space": space, "table": [ours("covey, search")]}, missing


def disclosure(rscript: str) -> list[Row]:
    """Risk and losses of the tables of the literature, ours beside sdcMicro's, where it is there."""
    tables = {name: load_table(name) for name in TABLES} if rscript else {}
    return [row for name, X in tables.items() if X is not None for k in KS for row in compare(rscript, name, X, k)]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the smallest sizes only; prints, and writes nothing")
    parser.add_argument("--limit", type=float, default=100.0, help="seconds for a call (100)")
    for name, folder in (("microagg1d", ".venv-peers"), ("clusters", ".venv-clusters"), ("pycanon", ".venv-pycanon")):
        parser.add_argument(f"--{name}", default=str(ROOT / folder / "bin" / "python"), metavar="PYTHON")
    return parser.parse_args()


def main() -> None:
    arguments = options()
    methods, reason = sdcmicro_methods()
    packages, missing = packages_of(arguments, methods, reason)
    begun = time.perf_counter()
    found = Run(packages, arguments.limit)
    found.hard()
    absent = found.tables()
    sizes = SIZES[:1] if arguments.quick else SIZES
    found.sizes("line", sizes, on_a_line)
    found.sizes("space", sizes, in_space)
    rscript = "Rscript" if methods else ""
    measured, unmeasured = measure_all(arguments.pycanon, rscript, sizes, arguments.limit)
    content = {
        "limit": arguments.limit,
        "rows": found.rows,
        "measures": measured,
        "disclosure": disclosure(rscript),
        "missing": [*missing, *unmeasured, *(f"{name}.csv is not in ../shared/data" for name in absent)],
        "minutes": (time.perf_counter() - begun) / 60,
    }
    print(f"{content['minutes']:.1f} minutes")
    if arguments.quick:
        print(rendered(content))
    else:
        write("peers", "peers", content)


if __name__ == "__main__":
    main()
