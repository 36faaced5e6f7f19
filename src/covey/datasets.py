"""A small simulated table and a network, for examples and tests. No real person is in them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.utils.frame import FrameKind, build_frame

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Rows

__all__ = ["load_contacts", "load_patients"]

_ROWS = 3000
_REGIONS = ("North", "North-East", "East", "South-East", "South", "South-West", "West", "Capital")
_DIAGNOSES = ("asthma", "diabetes", "fracture", "heart failure", "infection", "pregnancy", "stroke", "other")


def load_patients(kind: FrameKind = "pandas") -> Any:
    """Return 3,000 simulated hospital stays as a pandas or polars dataframe or a pyarrow table.

    Columns: `patient` (an identifier), `age`, `sex`, `region`, `admitted` and `discharged` (dates; no discharge while
    the stay goes on), `charge` (money: whole tariffs and tens, many ties, a long tail), `income` (with missing
    values), `visits`, `diagnosis`. Always the same table: numpy keeps the stream of its RandomState.

    Parameters
    ----------
    kind
        "pandas", "polars" or "pyarrow".

    Returns
    -------
    dataframe or table
        Ten columns.

    Examples
    --------
    >>> load_patients().shape
    (3000, 10)
    """
    rng = np.random.RandomState(20240501)
    age = np.clip(np.round(rng.gamma(7.0, 7.5, _ROWS)), 0, 101).astype(np.int64)
    day = rng.randint(0, 731, _ROWS)
    stay = 1 + rng.poisson(2 + age / 20)
    tariff = np.array([150, 400, 950, 2400])[rng.choice(4, _ROWS, p=[0.35, 0.3, 0.2, 0.15])]
    extra = np.where(rng.random_sample(_ROWS) < 0.55, 0.0, np.exp(rng.normal(6.0, 1.4, _ROWS)))
    income = np.round(np.exp(rng.normal(10.1, 0.6, _ROWS)), -2)
    first, last = dt.date(2022, 1, 1), dt.date(2024, 1, 1)
    admitted = [first + dt.timedelta(days=int(d)) for d in day]
    discharged = [a + dt.timedelta(days=int(s)) for a, s in zip(admitted, stay, strict=True)]
    no_income = rng.random_sample(_ROWS) < 0.08
    columns = {
        "patient": [f"P{number:05d}" for number in rng.permutation(_ROWS) + 10000],
        "age": age.tolist(),
        "sex": rng.choice(["female", "male", "other"], _ROWS, p=[0.515, 0.475, 0.01]).tolist(),
        "region": rng.choice(_REGIONS, _ROWS, p=[0.08, 0.1, 0.14, 0.09, 0.12, 0.07, 0.13, 0.27]).tolist(),
        "admitted": admitted,
        "discharged": [d if d <= last else None for d in discharged],
        "charge": (tariff + np.round(extra, -1)).tolist(),
        "income": [None if missing else value for missing, value in zip(no_income, income.tolist(), strict=True)],
        "visits": (1 + rng.negative_binomial(1, 0.4, _ROWS)).tolist(),
        "diagnosis": rng.choice(_DIAGNOSES, _ROWS, p=[0.1, 0.14, 0.12, 0.1, 0.17, 0.08, 0.07, 0.22]).tolist(),
    }
    return build_frame(columns, dates=("admitted", "discharged"), kind=kind)


_PEOPLE = 240
_JOBS = ("none", "school", "office", "shop", "farm")


def load_contacts(kind: FrameKind = "pandas") -> tuple[Any, Any]:
    """Return a simulated network of 240 people who meet: a dataframe of its edges, and one of the people.

    Edges: `source` and `target`, two people, and `metres`, how far apart they live. People: `vertex` (a name), `age`, `job`,
    `health` ("bad", "fair", "good"; sometimes missing). Households of two to five, work places, and some chance meetings; all
    are connected. Always the same.

    Parameters
    ----------
    kind
        "pandas", "polars" or "pyarrow".

    Returns
    -------
    tuple
        The edges, and the people.

    Examples
    --------
    >>> edges, people = load_contacts()
    >>> len(people), list(edges.columns)
    (240, ['source', 'target', 'metres'])
    """
    rng = np.random.RandomState(20260501)
    home = np.sort(rng.randint(0, _PEOPLE // 3, _PEOPLE))
    place = rng.random_sample((_PEOPLE // 3, 2))[home] + rng.normal(0.0, 0.002, (_PEOPLE, 2))
    age = np.clip(rng.normal(40, 22, _PEOPLE), 0, 98).astype(np.int64)
    job = np.where(age < 18, 1, np.where(age > 66, 0, rng.randint(2, 5, _PEOPLE)))
    left, right = _meetings(home, job, rng)
    sounds = ("bcdfgklmnprst", "aeiou", "lmnrs")
    names = [f"{sounds[0][v % 13]}{sounds[1][v % 5]}{sounds[2][v % 5]}a-{v:03d}" for v in rng.permutation(_PEOPLE)]
    edges = {
        "source": [names[v] for v in left],
        "target": [names[v] for v in right],
        "metres": np.round(5000 * np.hypot(*(place[left] - place[right]).T), 0).tolist(),
    }
    health = rng.choice(["bad", "fair", "good", ""], _PEOPLE, p=[0.15, 0.3, 0.5, 0.05])
    people = {
        "vertex": names,
        "age": age.tolist(),
        "job": [_JOBS[number] for number in job],
        "health": [value or None for value in health.tolist()],
    }
    return build_frame(edges, dates=(), kind=kind), build_frame(people, dates=(), kind=kind)


def _meetings(home: Codes, job: Codes, rng: np.random.RandomState) -> tuple[Rows, Rows]:
    """Who meets whom: at home, half of those at work, some by chance, and a neighbour of each household."""
    work = job * 12 + rng.randint(0, 12, _PEOPLE)
    left, right = np.triu_indices(_PEOPLE, 1)
    colleagues = (work[left] == work[right]) & (job[left] > 0) & (rng.random_sample(len(left)) < 0.5)
    by_chance = rng.random_sample(len(left)) < 0.004
    met = (home[left] == home[right]) | colleagues | by_chance | (right == left + 1)
    return left[met], right[met]
