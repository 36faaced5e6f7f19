"""Every method beside what the literature prints for it, on its tables and on the simulated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.space.published import FEW, MANY
from covey import space
from covey.core.partition import Partition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from covey.core.method import Method

    Table = np.ndarray

SIMULATED, PRINTED = 200, 25  # tables of each kind here, and of a printed mean
METHODS: dict[str, Method] = {
    "mdav": space.Mdav(),
    "vmdav, gamma 0.2": space.VMdav(gamma=0.2),
    "vmdav, gamma 1.1": space.VMdav(gamma=1.1),
    "cbfs": space.Cbfs(),
    "cbfs-growing": space.CbfsGrowing(),
    "npn-mhm": space.NpnMhm(),
    "mdav-mhm": space.MdavMhm(),
    "mdav-mhm, walk by records": space.MdavMhm(walk="records"),
    "cbfs-mhm": space.CbfsMhm(),
    "imhm": space.Imhm(),
    "imhm, 10 blocks": space.Imhm(blocks=10),
    "imhm, 1 block": space.Imhm(blocks=1),
    "decompose": space.Decompose(),
    "auto": space.Auto(),
    "search": space.Search(),
}
ON_EIA = {"imhm, 10 blocks": MANY, "imhm, 1 block": (100,)}
ON_SIMULATED = {name: METHODS[name] for name in ("mdav", "cbfs", "imhm", "auto")} | {
    "search": space.Search(effort=2_000, restarts=1)
}


def uniform(rng: np.random.Generator) -> Table:
    return rng.uniform(-1000, 1000, size=(100, 10))


def clustered(rng: np.random.Generator, width: float, least: float = 0.1) -> Table:
    """Five clusters of twenty records, centres uniform in a cube of this width; every cluster has a deviation of its own, up to three times the least."""
    d = int(rng.integers(4, 9))
    centres, deviations = rng.uniform(0, width, size=(5, d)), rng.uniform(least, 3 * least, size=5)
    return np.concatenate([rng.normal(c, s, size=(20, d)) for c, s in zip(centres, deviations, strict=True)])


KINDS: dict[str, Callable[[np.random.Generator], Table]] = {
    "sim-1": uniform,
    "sim-2": lambda rng: clustered(rng, 1.0),
    "sim-3": lambda rng: clustered(rng, 2.0, 0.2),
    "sim-3, deviations of sim-2": lambda rng: clustered(rng, 2.0),
}


def percent(X: Table, loss: float) -> float:
    return float(100 * loss / ((X - X.mean(axis=0)) ** 2).sum())


def z_scores(X: Table) -> Table:
    return np.asarray((X - X.mean(axis=0)) / X.std(axis=0))


def measure_table(name: str, X: Table) -> Iterator[dict[str, Any]]:
    """The loss of each method for each k that is printed anywhere; repeated ordering for three of them."""
    for label, method in METHODS.items():
        for k in ON_EIA.get(label, MANY):
            if label not in ON_EIA or name == "eia":
                yield {"table": name, "k": k, "method": label, "loss": percent(X, method.solve(X, k).loss)}
    starts = [Partition(labels) for labels in space.RepeatedOrdering()._start_labels(X)]
    for k in FEW:
        loss = space.RepeatedOrdering(starts=starts).solve(X, k).loss
        yield {"table": name, "k": k, "method": "repeated-ordering", "loss": percent(X, loss)}


def measure_simulated(kind: str) -> Iterator[dict[str, Any]]:
    """Means over tables of one kind, and the standard error of a printed mean; no two kinds share a seed."""
    seed = list(KINDS).index(kind)
    tables = [z_scores(KINDS[kind](np.random.default_rng([seed, number]))) for number in range(SIMULATED)]
    for label, method in ON_SIMULATED.items():
        for k in FEW:
            losses = [percent(X, method.solve(X, k).loss) for X in tables]
            row = {"table": kind, "k": k, "method": label, "loss": float(np.mean(losses))}
            yield row | {"error": float(np.std(losses) / PRINTED**0.5)}
