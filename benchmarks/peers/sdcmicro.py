"""sdcMicro beside Covey, in one run: its methods of microaggregation, and its measures of what was released."""

from __future__ import annotations

import time

from benchmarks.peers.cells import SDCMICRO, Package, ours
from benchmarks.peers.disclosure import compare
from benchmarks.peers.grid import TABLES, Row, Run
from benchmarks.peers.questions import measure_all
from benchmarks.peers.tables import KS, in_space, on_a_line
from tests.space.tables import load_table

HARD_METHOD = "mdav"  # the methods are asked for tables; hard inputs are for the one that is recommended
ONE_K = KS[1:2]


def measure_sdcmicro(methods: list[str], sizes: tuple[int, ...], limit: float) -> Row:
    """Losses and times by method, wrong answers on hard inputs, measures of published tables."""
    begun = time.perf_counter()
    covey, program = [ours("covey"), ours("covey, mdav")], "Rscript"
    line = [ours("covey"), Package(f"{SDCMICRO}, mafast", program)]
    hard = Run({"line": line, "space": [*covey, Package(f"{SDCMICRO}, {HARD_METHOD}", program)]}, limit)
    hard.hard(KS[:1])
    space = [*covey, *(Package(f"{SDCMICRO}, {method}", program) for method in methods)]
    cells = Run({"line": line, "space": space, "table": []}, limit)
    cells.tables()
    cells.sizes("line", sizes, on_a_line, ONE_K)
    cells.sizes("space", sizes, in_space, ONE_K)
    measured, _ = measure_all({SDCMICRO: program}, sizes, limit)
    return {
        "limit": limit,
        "rows": [*hard.rows, *cells.rows],
        "measures": measured,
        "disclosure": disclosure(program),
        "missing": [],
        "minutes": (time.perf_counter() - begun) / 60,
    }


def disclosure(program: str) -> list[Row]:
    """Risk and losses of the tables of the literature, ours beside sdcMicro's."""
    tables = {name: load_table(name) for name in TABLES}
    return [row for name, X in tables.items() if X is not None for k in KS for row in compare(program, name, X, k)]
