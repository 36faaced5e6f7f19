"""Grouping large tables: time, memory and loss of `auto` and `search`, beside another commit of Covey where there is one.

usage: python -m benchmarks.large.run [--peer PYTHON] [--only SECTION ...] [--long]
PYTHON is an interpreter of an environment with the Covey to compare with (that of commit 42d44a2, before `auto` was made anew).
Without it the results say that no peer was there. Calls alternate between both. --long: also what takes a peer more than some
minutes, and ten million records. Writes benchmarks/results/large-SECTION.json.
"""

from __future__ import annotations

import itertools
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from benchmarks.harness.measure import Peer
from benchmarks.harness.sections import section_parser, write_sections
from tests.space.tables import load_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Row = dict[str, Any]

K = 5
GAUSSIAN = [(10**5, 2), (10**5, 5), (10**5, 10), (2 * 10**5, 5)]
SLOW = [(2 * 10**5, 10), (10**6, 5)]
ALONE = [(10**6, 10)]  # takes the peer some twenty minutes
HARD = ["clustered", "heavy tails", "90 % equal", "zero-inflated", "one-hot", "whole numbers 0 to 9"]
GROWTH = [10**5, 3 * 10**5, 10**6]
LONG_GROWTH = [3 * 10**6, 10**7]
SMALL = [
    ("gaussian", 200, 2),
    ("gaussian", 1000, 5),
    ("gaussian", 5000, 10),
    ("clustered", 1000, 3),
    ("clustered", 8000, 5),
]
SMALL += [
    ("heavy tails", 2000, 4),
    ("90 % equal", 2000, 3),
    ("zero-inflated", 3000, 5),
    ("whole numbers 0 to 9", 3000, 3),
]
SMALL += [("cities, jobs, age", 2000, 33)]
LITERATURE = ["tarragona", "census", "eia"]
SEARCHED = [(10**5, 5, 20), (10**6, 5, 20)]  # the last: steps for each record


class Both:
    """Covey of this environment and of another one, each in a process of its own."""

    def __init__(self, stack: ExitStack, peer: str | None) -> None:
        self.own = stack.enter_context(Peer(sys.executable, "groups"))
        self.peer = stack.enter_context(Peer(peer, "groups")) if peer is not None else None

    def row(
        self,
        kind: str,
        n: int,
        d: int,
        *,
        alone: bool = False,
        method: str = "auto",
        k: int = K,
        repeats: int = 1,
        values: list[list[float]] | None = None,
        **options: Any,
    ) -> Row:
        request = {"kind": kind, "n": n, "d": d, "k": k, "method": method, "options": options}
        request |= {"repeats": repeats, "values": values}
        row = {"kind": kind, "n": n, "d": d, "own": self.own.ask(**request)}
        row["peer"] = self.peer.ask(**request) if self.peer is not None and not alone else None
        print(row, flush=True)
        return row


def gaussian(both: Both, *, long: bool) -> Iterable[Row]:
    for n, d in GAUSSIAN + SLOW:
        yield both.row("gaussian", n, d, alone=(n, d) in SLOW and not long)
    for n, d in ALONE:
        yield both.row("gaussian", n, d, alone=True)


def slowest(both: Both, *, long: bool) -> Iterable[Row]:
    """What takes the peer some twenty minutes: with --long alone."""
    for n, d in ALONE:
        yield both.row("gaussian", n, d, alone=not long)


def hard(both: Both, *, long: bool) -> Iterable[Row]:
    for n in (10**5, 10**6) if long else (10**5,):
        yield both.row("gaussian", n, 5, alone=True)
        for kind in HARD:
            yield both.row(kind, n, 5, alone=n > 10**5)
    yield both.row("gaussian", 10**6, 5, alone=True)
    for n in (5 * 10**4, 10**6):
        yield both.row("cities, jobs, age", n, 33, alone=n > 5 * 10**4)


def growth(both: Both, *, long: bool) -> Iterable[Row]:
    for n in GROWTH + (LONG_GROWTH if long else []):
        yield both.row("gaussian", n, 5, alone=True)


def search(both: Both, *, long: bool) -> Iterable[Row]:
    for n, d, steps in SEARCHED if long else SEARCHED[:1]:
        yield both.row("gaussian", n, d, alone=True) | {"method": "auto"}
        yield both.row("gaussian", n, d, alone=True, method="search", effort=steps * n, restarts=1) | {
            "method": "search"
        }


def small(both: Both, *, long: bool) -> Iterable[Row]:  # noqa: ARG001
    """The literature's tables and ten others: milliseconds, so each is grouped several times."""
    for name, k in itertools.product(LITERATURE, (3, 5, 10)):
        values = load_table(name)
        if values is None:
            print(f"{name} is not at hand: not measured")
        else:
            yield both.row(name, *values.shape, values=values.tolist(), k=k, repeats=10) | {"k": k}
    for (kind, n, d), k in itertools.product(SMALL, (3, 5, 10)):
        yield both.row(kind, n, d, k=k, repeats=10) | {"k": k}


SECTIONS: dict[str, Callable[..., Iterable[Row]]] = {
    "gaussian": gaussian,
    "slowest": slowest,
    "hard": hard,
    "small": small,
    "growth": growth,
    "search": search,
}


def main() -> None:
    parser = section_parser(__doc__, SECTIONS)
    parser.add_argument("--peer", help="an interpreter whose environment has another Covey")
    parser.add_argument("--long", action="store_true", help="also what takes long")
    given = parser.parse_args()
    with ExitStack() as stack:
        both = Both(stack, given.peer)
        peer = None if both.peer is None else both.peer.greeting["version"]

        def measure(section: str) -> Row:
            return {"k": K, "peer": peer, "rows": list(SECTIONS[section](both, long=given.long))}

        write_sections("large", given.only, measure)


if __name__ == "__main__":
    main()
