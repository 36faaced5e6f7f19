"""Small simulated tables and a network, for examples and tests. No real person is in them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.utils.frame import FrameKind, build_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.utils.typing import Codes, Floats, Rows

__all__ = ["load_contacts", "load_households", "load_patients", "load_workers"]

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


_HOUSEHOLDS, _MOST_MEMBERS = 1000, 12
_AREAS = ("North", "North-East", "East", "South-East", "South", "South-West", "West", "Islands")
_ILLNESSES = ("none", "asthma", "cancer", "dementia", "depression", "diabetes", "heart failure", "injury")
_DWELLINGS = {
    "roof": ("thatch", "iron", "tile", "concrete"),
    "walls": ("earth", "wood", "brick", "block", "concrete"),
    "water": ("river", "well", "truck", "shared tap", "own tap", "bottled"),
    "electricity": ("none", "shared", "own"),
}
"""What a dwelling is made of and has, the poorest first."""


def load_households(kind: FrameKind = "pandas") -> Any:
    """Return a simulated survey of 1,000 households with about 4,600 members: a dataframe with a row a member.

    Of the household, the same in all of its rows: `household` (an identifier), `region`, `area` (urban or rural), `roof`, `walls`, `water`,
    `electricity`, `expenditure`, `income`, `weight`. Of the member: `role` (head, spouse, child, parent, other), `age`, `sex`, `earnings`,
    `marital` and `illness`. Always the same.

    Sizes are 1 to 12, 1 more than a negative binomial number of mean 3.6. Heads are 22 to 85 years old, spouses about as old (a standard
    deviation of 4, at most 5), children 20 to 40 years younger than the younger parent. A latent wealth is behind dwellings, and has a
    correlation of 0.7 with the logarithms of expenditure and income. Members of 15 to 70 years may earn. Illness depends on age. The seed is
    20261123.

    Parameters
    ----------
    kind
        "pandas", "polars" or "pyarrow".

    Returns
    -------
    dataframe or table
        Sixteen columns.

    Examples
    --------
    >>> people = load_households()
    >>> people.household.nunique(), people.columns[:4].tolist()
    (1000, ['household', 'region', 'area', 'roof'])
    """
    rng = np.random.RandomState(20261123)
    size = np.empty(0, dtype=np.int64)
    while len(size) < _HOUSEHOLDS:
        drawn = 1 + rng.negative_binomial(4, 4 / 7.6, 2 * _HOUSEHOLDS)
        size = np.append(size, drawn[drawn <= _MOST_MEMBERS])[:_HOUSEHOLDS]
    number = np.repeat(np.arange(_HOUSEHOLDS), size)
    wealth = rng.normal(0.0, 1.0, _HOUSEHOLDS)
    household = _of_households(wealth, rng)
    role, age = _members(size, rng)
    earns = (age >= 15) & (age <= 70) & (rng.random_sample(len(age)) < np.where(role == "child", 0.35, 0.7))
    pay = np.round(np.exp(8.2 + 0.5 * wealth[number] + rng.normal(0.0, 0.6, len(age))), -1)
    sick = rng.random_sample(len(age)) < 0.1 + 0.006 * age
    which = np.where(age < 40, rng.choice([1, 4, 5, 7], len(age)), rng.choice([2, 3, 4, 5, 6], len(age)))
    alone = np.where(age > 65, rng.choice(["widowed", "divorced"], len(age), p=[0.8, 0.2]), "single")
    married = (role == "spouse") | ((role == "head") & np.isin(number, number[role == "spouse"]))
    columns = {name: [values[h] for h in number] for name, values in household.items()}
    columns |= {
        "role": role.tolist(),
        "age": age.tolist(),
        "sex": rng.choice(["female", "male"], len(age), p=[0.52, 0.48]).tolist(),
        "earnings": np.where(earns, pay, 0.0).tolist(),
        "marital": np.where(married, "married", np.where(role == "child", "single", alone)).tolist(),
        "illness": [_ILLNESSES[code] for code in np.where(sick, which, 0)],
    }
    return build_frame(columns, dates=(), kind=kind)


def _of_households(wealth: Floats, rng: np.random.RandomState) -> dict[str, list[Any]]:
    """The columns with one value a household."""
    names = [f"H{number:04d}" for number in rng.permutation(_HOUSEHOLDS) + 1000]
    region = rng.choice(len(_AREAS), _HOUSEHOLDS, p=[0.08, 0.1, 0.14, 0.09, 0.2, 0.12, 0.2, 0.07])
    urban = rng.random_sample(_HOUSEHOLDS) < 1.0 / (1.0 + np.exp(-wealth))
    columns: dict[str, list[Any]] = {
        "household": names,
        "region": [_AREAS[code] for code in region],
        "area": np.where(urban, "urban", "rural").tolist(),
    }
    for name, kinds in _DWELLINGS.items():
        standing = wealth + rng.normal(0.0, 0.8, _HOUSEHOLDS)
        code = np.clip(np.floor((standing + 2.0) / 4.0 * len(kinds)), 0, len(kinds) - 1).astype(np.int64)
        columns[name] = [kinds[place] for place in code]
    rest = float(np.sqrt(1.0 - 0.7**2))
    for name, middle in (("expenditure", 9.0), ("income", 9.3)):
        logarithm = middle + 0.6 * (0.7 * wealth + rest * rng.normal(0.0, 1.0, _HOUSEHOLDS))
        columns[name] = np.round(np.exp(logarithm), -1).tolist()
    columns["weight"] = np.round(120.0 + 40.0 * region + 20.0 * urban, 0).tolist()
    return columns


def _members(size: Rows, rng: np.random.RandomState) -> tuple[NDArray[np.str_], Rows]:
    """The roles and ages of the members of households, in no order but that the head comes first."""
    roles: list[str] = []
    ages: list[int] = []
    for number in size.tolist():
        head = int(np.clip(np.round(rng.normal(46, 14)), 22, 85))
        younger, parents = head, 0
        roles.append("head")
        ages.append(head)
        rest = number - 1
        if rest and rng.random_sample() < 0.8:
            spouse = max(20, head + int(np.clip(np.round(rng.normal(-2, 4)), -5, 5)))
            younger, rest = min(head, spouse), rest - 1
            roles.append("spouse")
            ages.append(spouse)
        for _ in range(rest):
            role = ("child", "parent", "other")[int(rng.choice(3, p=[0.82, 0.06, 0.12]))]
            role = "other" if role == "parent" and (parents == 2 or head > 70) else role
            parents += role == "parent"
            child = younger - int(rng.randint(20, min(40, younger) + 1))
            ages.append(
                {"child": child, "parent": min(99, head + int(rng.randint(20, 36)))}.get(role, int(rng.randint(0, 90)))
            )
            roles.append(role)
    return np.array(roles), np.array(ages, dtype=np.int64)


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


_WORKERS = 30_000
_Branch = dict[str, tuple[str, ...]]
_EDUCATION: dict[str, _Branch] = {
    "at most school": {
        "no leaving certificate": ("none", "primary", "grades 5 to 8", "grades 9 to 11"),
        "leaving certificate": ("school certificate", "high school"),
    },
    "beyond school": {
        "vocational": ("apprenticeship", "trade certificate", "technician", "some college"),
        "first degree": ("bachelor, arts", "bachelor, sciences", "teaching diploma"),
        "higher degree": ("master", "professional degree", "doctorate"),
    },
}
_MARITAL: dict[str, _Branch] = {
    "together": {"partner present": ("married", "registered partners"), "partner away": ("partner elsewhere",)},
    "alone": {"never": ("never married",), "once": ("separated", "divorced", "widowed")},
}
_COUNTRIES: dict[str, _Branch] = {
    "Europe": {
        "north and west": (
            "here",
            "Austria",
            "Belgium",
            "Denmark",
            "France",
            "Germany",
            "Ireland",
            "Netherlands",
            "Norway",
            "Sweden",
        ),
        "south and east": (
            "Albania",
            "Bulgaria",
            "Greece",
            "Italy",
            "Poland",
            "Portugal",
            "Romania",
            "Serbia",
            "Spain",
            "Ukraine",
        ),
    },
    "America": {
        "the north": ("Canada", "Mexico", "United States"),
        "the south": ("Argentina", "Brazil", "Chile", "Colombia", "Peru"),
    },
    "Africa and Asia": {
        "Africa": ("Algeria", "Egypt", "Eritrea", "Ghana", "Morocco", "Nigeria"),
        "Asia": ("China", "India", "Iran", "Japan", "Sri Lanka", "Turkey", "Vietnam"),
    },
}
_OCCUPATIONS: dict[str, _Branch] = {
    "office": {
        "managers": ("executive", "administrator"),
        "specialists": ("engineer", "physician", "teacher", "analyst"),
        "clerks": ("secretary", "accounts clerk", "sales"),
    },
    "hands": {
        "crafts": ("mechanic", "builder", "electrician"),
        "services": ("cook", "cleaner", "carer", "guard"),
        "machines and land": ("driver", "assembler", "farmer", "labourer"),
    },
}
_EMPLOYERS: dict[str, _Branch] = {
    "employed": {"private": ("company", "household"), "public": ("local", "regional", "federal")},
    "self-employed": {"own business": ("with staff", "without staff", "family business")},
}


def load_workers(kind: FrameKind = "pandas") -> tuple[Any, dict[str, dict[str, tuple[str, ...]]]]:
    """Return 30,000 simulated workers, and the hierarchies of the eight columns that others may know of them.

    Columns: `age` (17 to 90), `sex`, `marital`, `education`, `country` (of birth), `citizen`, `employer`, `occupation`; and `income`,
    "high" or "low". A hierarchy has for each value its labels, the lowest first: ages in five, ten, twenty and forty years. Always
    the same table.

    Parameters
    ----------
    kind
        "pandas", "polars" or "pyarrow".

    Returns
    -------
    tuple
        The workers, and column to value to labels.

    Examples
    --------
    >>> workers, hierarchies = load_workers()
    >>> workers.shape, hierarchies["marital"]["divorced"]
    ((30000, 9), ('once', 'alone', '*'))
    """
    rng = np.random.RandomState(20260719)
    levels: dict[str, dict[str, tuple[str, ...]]] = {
        "age": {str(age): (*(_years(age, width) for width in (5, 10, 20, 40)), "*") for age in range(17, 91)},
        "sex": {"female": ("*",), "male": ("*",)},
        "marital": _levels(_MARITAL),
        "education": _levels(_EDUCATION),
        "country": _levels(_COUNTRIES),
        "citizen": {"by birth": ("citizen", "*"), "naturalised": ("citizen", "*"), "no": ("no citizen", "*")},
        "employer": _levels(_EMPLOYERS),
        "occupation": _levels(_OCCUPATIONS),
    }
    age = np.clip(np.round(17 + rng.gamma(3.2, 7.0, _WORKERS)), 17, 90).astype(np.int64)
    skill = rng.normal(0.0, 1.0, _WORKERS)
    female = rng.random_sample(_WORKERS) < 0.47
    abroad = rng.random_sample(_WORKERS) < 0.14
    citizen = np.where(
        abroad, np.where(rng.random_sample(_WORKERS) < 0.35, 1, 2), np.where(rng.random_sample(_WORKERS) < 0.99, 0, 1)
    )
    country = np.where(abroad, 1 + _common(len(levels["country"]) - 1, 0.09, rng), 0)
    office = rng.random_sample(_WORKERS) < 1.0 / (1.0 + np.exp(-1.2 * skill - 0.3 * female))
    occupation = np.where(office, _common(9, 0.12, rng), 9 + _common(11, 0.1, rng))
    single = rng.random_sample(_WORKERS) < np.exp(-(age - 17) / 11.0)
    columns = {
        "age": age.tolist(),
        "sex": np.where(female, "female", "male").tolist(),
        "marital": _named(
            levels["marital"], np.where(single, 3, np.array([0, 0, 0, 0, 1, 2, 4, 5, 5, 6])[_common(10, 0.0, rng)])
        ),
        "education": _named(
            levels["education"], np.clip(np.round(7 + 2.6 * skill + rng.normal(0, 1.6, _WORKERS)), 0, 15)
        ),
        "country": _named(levels["country"], country),
        "citizen": _named(levels["citizen"], citizen),
        "employer": _named(
            levels["employer"], np.array([0, 0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 6, 7, 1])[_common(14, 0.03, rng)]
        ),
        "occupation": _named(levels["occupation"], occupation),
        "income": np.where(skill + age / 40 + rng.normal(0, 0.8, _WORKERS) > 1.9, "high", "low").tolist(),
    }
    return build_frame(columns, dates=(), kind=kind), levels


def _years(age: int, width: int) -> str:
    return f"{age // width * width} to {age // width * width + width - 1}"


def _levels(branches: dict[str, _Branch]) -> dict[str, tuple[str, ...]]:
    """The labels of every value, the lowest first."""
    return {
        value: (low, high, "*") for high, inner in branches.items() for low, values in inner.items() for value in values
    }


def _common(number: int, decline: float, rng: np.random.RandomState) -> Codes:
    """Numbers of which the first are the most common."""
    share = np.exp(-decline * np.arange(number))
    return rng.choice(number, _WORKERS, p=share / share.sum())


def _named(levels: dict[str, tuple[str, ...]], codes: NDArray[Any]) -> list[str]:
    names = list(levels)
    return [names[code] for code in codes.astype(np.int64).tolist()]
