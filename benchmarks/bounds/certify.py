"""Writes what proves the tight bound of a table for k = 3: prices, cuts with tolls, and a partition, as exact numbers.

usage: python -m benchmarks.bounds.certify tarragona certificate.json
`benchmarks.bounds.check_certificate` checks it in exact arithmetic.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.space.run import table
from covey import space
from covey._kernels import space as kernels
from covey.utils.arrays import as_coordinates

if TYPE_CHECKING:
    from covey.utils.typing import Points


def certificate(X: Points, seconds: float = 300.0) -> dict[str, Any]:
    """Prices and cuts of the records X, k = 3, and the best partition that is found in some seconds."""
    points = as_coordinates(X).values
    prices = kernels.GroupPrices(points, 3)
    while prices.round(60.0):
        pass
    records, tolls = prices.tolls()
    return {
        "k": 3,
        "table": [[x.hex() for x in row] for row in points.tolist()],
        "prices": [price.hex() for price in prices.prices().tolist()],
        "cuts": [
            {"records": three, "toll": toll.hex()}
            for three, toll in zip(records.reshape(-1, 3).tolist(), tolls.tolist(), strict=True)
            if toll > 0.0
        ],
        "labels": space.Exact(time_limit=seconds).solve(points, 3).partition.labels.tolist(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("output", type=Path)
    asked = parser.parse_args()
    asked.output.write_text(json.dumps(certificate(table(asked.table))), encoding="utf-8")


if __name__ == "__main__":
    main()
