"""Checks in exact arithmetic that no partition of a table into groups of at least 3 loses less than a certificate says.

usage: python -m benchmarks.bounds.check_certificate certificate.json
Knows nothing of what wrote the certificate; needs the standard library alone. The theorem is that of docs/space/bound.md, "cuts".
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Cut = tuple[frozenset[int], Fraction]

K = 3


class Checker:
    """The table, the prices of its records and the tolls, as exact numbers."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        self.rows = [[Fraction(float.fromhex(x)) for x in row] for row in certificate["table"]]
        self.prices = [Fraction(float.fromhex(price)) for price in certificate["prices"]]
        self.labels: list[int] = certificate["labels"]
        self.cuts = [(frozenset(cut["records"]), Fraction(float.fromhex(cut["toll"]))) for cut in certificate["cuts"]]
        self.cuts_of: list[list[Cut]] = [[cut for cut in self.cuts if i in cut[0]] for i in range(len(self.rows))]
        if len(self.prices) != len(self.rows) or any(len(three) != K or toll < 0 for three, toll in self.cuts):
            raise ValueError("needed: a price of every record, and tolls of at least 0 on three records each")
        scale = max(x.denominator for row in self.rows for x in row)  # floats: all are powers of two
        whole = [[int(x * scale) for x in row] for row in self.rows]
        self.unit = Fraction(1, scale * scale)
        self.squared = [[sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for y in whole] for x in whole]

    def bound(self) -> Fraction:
        """All prices less all tolls."""
        return sum(self.prices, Fraction(0)) - sum((toll for _, toll in self.cuts), Fraction(0))

    def loss(self) -> Fraction:
        """What the partition of the certificate loses; its groups must hold 3 at least."""
        groups: dict[int, list[int]] = {}
        for i, label in enumerate(self.labels):
            groups.setdefault(label, []).append(i)
        if len(self.labels) != len(self.rows) or min(map(len, groups.values())) < K:
            raise ValueError("the partition has a group below 3, or not all records")
        return sum(map(self.cost, groups.values()), Fraction(0))

    def cost(self, group: Sequence[int]) -> Fraction:
        return Fraction(sum(self.squared[i][j] for i, j in itertools.combinations(group, 2)), len(group)) * self.unit

    def holds(self) -> bool:
        """Whether no group of 3 to 5 costs less than its prices less its tolls; larger ones are split without loss."""
        return not any(map(self._is_above, itertools.chain(self._triples(), self._larger())))

    def _is_above(self, group: Sequence[int]) -> bool:
        paid = {three: toll for i in group for three, toll in self.cuts_of[i] if len(three.intersection(group)) > 1}
        return sum((self.prices[i] for i in group), Fraction(0)) > self.cost(group) + sum(paid.values(), Fraction(0))

    def _triples(self) -> Iterator[tuple[int, ...]]:
        """All with prices above cost: their pairs add up to less than 0, so one pair is below 0."""
        weight = self.unit / K
        common = math.lcm(weight.denominator, *(price.denominator for price in self.prices))
        price, per = [int(p * common) for p in self.prices], int(weight * common)
        pair = [[2 * per * d - price[i] - price[j] for j, d in enumerate(row)] for i, row in enumerate(self.squared)]
        for i, j in itertools.combinations(range(len(pair)), 2):
            if pair[i][j] < 0:
                one, other, here = pair[i], pair[j], pair[i][j]
                thirds = (r for r in range(len(pair)) if one[r] + other[r] + here < 0)
                yield from ((i, j, r) for r in thirds if r not in (i, j))

    def _larger(self) -> Iterator[tuple[int, ...]]:
        """Those of 4 and 5 that hold three records of a cut and cost less than 3 and 1 times what such tolls may be in them."""
        for three, toll in self.cuts:
            if toll == 0:
                continue
            load = sum({other: t for i in three for other, t in self.cuts_of[i]}.values(), Fraction(0))
            if self.cost(tuple(three)) >= 3 * load:
                continue
            others = [i for i in range(len(self.rows)) if i not in three and self.cost((*three, i)) < 3 * load]
            yield from ((*three, i) for i in others)
            near = [i for i in others if self.cost((*three, i)) < load]
            yield from ((*three, i, j) for i, j in itertools.combinations(near, 2))


def main() -> None:
    checker = Checker(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    if not checker.holds():
        sys.exit("wrong: a group costs less than its prices less its tolls")
    bound, loss = checker.bound(), checker.loss()
    print(
        f"no partition loses less than {float(bound):.9g}; this one loses {float(loss):.9g}: gap {float(1 - bound / loss):.4%}"
    )


if __name__ == "__main__":
    main()
