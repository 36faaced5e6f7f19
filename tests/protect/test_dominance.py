"""Dominance and the p % rule, where a recipe asks for them: no group fails, by the definitions, on the original amounts."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey._kernels.space import Demand
from covey.columns.aggregation import aggregate_column
from covey.columns.members import members
from covey.columns.own_values import own_values
from covey.columns.values import read_values
from covey.core.partition import Partition
from covey.core.requirement import Requirement
from covey.errors import InfeasibleError, OptionError, RefusedError
from covey.protect import group
from tests.files import tables as files
from tests.protect.firms import QUASI, P, failing, firms, holds
from tests.space.tables import SHARED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

D = "dominance"


RULES = [
    Requirement("x", P, 10.0),
    Requirement("x", P, 150.0),
    Requirement("x", D, 80.0, n=1),
    Requirement("x", D, 90.0, n=2),
]


def kernel_holds(asked: Requirement, amounts: Sequence[float], units: Sequence[int]) -> bool:
    demand = Demand()
    nothing, no_code = np.zeros(0), np.zeros(0, dtype=np.uint32)
    demand.add(
        asked.kind,
        no_code,
        asked.limit,
        asked.n,
        nothing,
        nothing,
        np.abs(np.array(amounts, dtype=np.float64)),
        no_code,
    )
    demand.count_units(np.array(units, dtype=np.uint32))
    return demand.deficit(np.arange(len(amounts), dtype=np.uint32)) == 0.0


def small_groups(most: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All amounts of up to so many records, in all ways to make them units."""
    found = []
    for size in range(1, most + 1):
        units = [
            u
            for u in itertools.product(range(size), repeat=size)
            if all(x <= max((*u[:i], -1)) + 1 for i, x in enumerate(u))
        ]
        for amounts in itertools.combinations_with_replacement((0, 1, 10, -40), size):
            found += [(amounts, unit) for unit in units]
    return found


@pytest.mark.parametrize("asked", RULES, ids=str)
def test_the_kernel_and_the_count_follow_the_definition(asked: Requirement) -> None:
    for amounts, units in small_groups(4):
        wanted = holds(asked, amounts, units)
        assert kernel_holds(asked, amounts, units) == wanted, (amounts, units)
        column, partition = read_values("x", pa.array(amounts)), Partition([0] * len(amounts))
        released = aggregate_column(column, partition, "mean")
        given: dict[str, Any] = {"asked": [asked], "units": np.array(units)}
        if wanted:
            found = own_values(column, released, members(column, partition), "mean", **given)
            assert (found.p_percent if asked.kind == P else found.dominated) == 0
        else:
            with pytest.raises(RefusedError, match="1 groups do not have amounts of x"):
                own_values(column, released, members(column, partition), "mean", **given)


@pytest.mark.parametrize("asked", RULES, ids=str)
def test_a_union_of_groups_that_hold_holds_even_where_units_are_in_both(asked: Requirement) -> None:
    amounts = list(itertools.product((0, 1, 10, 40), repeat=3))
    safe = [one for one in amounts if holds(asked, one, (0, 1, 2))]
    for one, other in itertools.product(safe, repeat=2):
        for there in ((0, 1, 2), (0, 1, 3), (0, 3, 4), (3, 4, 5)):
            assert holds(asked, one + other, (0, 1, 2, *there))


def test_one_or_two_contributors_fail_and_zeros_hold() -> None:
    for p in (0.001, 10.0):
        assert not kernel_holds(Requirement("x", P, p), [5.0, 0.0, 0.0], [0, 1, 2])
        assert not kernel_holds(Requirement("x", P, p), [5.0, 5.0, 0.0], [0, 1, 2])
        assert kernel_holds(Requirement("x", P, p), [0.0, 0.0, 0.0], [0, 1, 2])
    assert not kernel_holds(Requirement("x", D, 80.0, n=3), [5.0, 5.0, 5.0], [0, 1, 2])


def released(given: pa.Table, **choices: Any) -> covey.Release:
    usual: dict[str, Any] = {"k": 3, "quasi": QUASI, "keep": ["row"], "accept": ["row"], "drop_rest": True}
    return covey.release(given, **(usual | choices))


ASKED = [
    ({P: {"sales": 15}}, Requirement("sales", P, 15.0)),
    ({D: {"sales": (1, 70)}}, Requirement("sales", D, 70.0, n=1)),
    ({D: {"loss": [2, 85]}}, Requirement("loss", D, 85.0, n=2)),
]


@pytest.mark.parametrize(("choice", "asked"), ASKED)
@pytest.mark.parametrize("more", [{}, {"unit": "owner"}, {"weight": "weight"}, {"strata": ["region"]}], ids=str)
def test_no_group_fails_what_is_asked(choice: dict[str, Any], asked: Requirement, more: dict[str, Any]) -> None:
    given = firms()
    counted: dict[str, Any] = {"unit": more.get("unit", "row"), "weighted": "weight" in more}
    assert failing(given, released(given, **more).arrow, asked, **counted) > 0
    done = released(given, **choice, **more)
    assert failing(given, done.arrow, asked, **counted) == 0
    group = done.report.groups[0]
    assert group.smallest >= 3
    assert group.loss_percent_without is not None
    assert group.loss_percent_without <= group.loss_percent


def test_a_plain_number_is_asked_of_every_amount_that_is_released_as_its_mean() -> None:
    given = firms()
    done = released(given, p_percent=10, dominance=(1, 80), aggregates={"staff": "median"})
    asked = [one["column"] for one in done.certificate.public["checked_on_the_original"]]
    assert asked == ["sales", "loss", "sales", "loss"]
    for name in ("sales", "loss"):
        assert failing(given, done.arrow, Requirement(name, P, 10.0)) == 0
        assert failing(given, done.arrow, Requirement(name, D, 80.0, n=1)) == 0
    assert "Checked on the original amounts, which a release does not show: every group has" in done.report.promise


def test_the_certificate_tells_what_was_checked_from_what_was_recounted(tmp_path: Path) -> None:
    done = released(firms(), p_percent={"sales": 10})
    told = "amounts of sales by which nobody knows the largest within 10 % (p % rule)"
    done.write(tmp_path / "out.csv", certificate=tmp_path / "c.json")
    for public in (done.certificate.public, json.loads((tmp_path / "c.json").read_text())):
        assert public["requirements"] == []
        assert public["checked_on_the_original"] == [{"column": "sales", "asked": told}]
        assert told in public["promise"]
    assert released(firms()).certificate.public["checked_on_the_original"] == []


def test_groups_that_were_not_repaired_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group._Cell, "complying", lambda _cell, labels, part, *_others: (labels, part))
    with pytest.raises(RefusedError, match=r"groups do not have amounts of sales .* nothing was written"):
        released(firms(), p_percent={"sales": 15})


def test_a_stratum_that_cannot_hold_it_is_said_merged_or_suppressed() -> None:
    given = firms(60)
    sales = given["sales"].to_numpy().copy()
    sales[:5] = (900.0, 0.0, 0.0, 0.0, 1.0)
    region = ["tiny"] * 5 + ["n"] * 55
    given = given.set_column(0, "sales", pa.array(sales)).set_column(3, "region", pa.array(region))
    choices: dict[str, Any] = {"p_percent": {"sales": 10}, "strata": ["region"]}
    with pytest.raises(
        InfeasibleError, match="1 stratum holds fewer than k = 3 records, or does not satisfy what is required"
    ):
        released(given, **choices)
    merged = released(given, small_strata="merge", **choices)
    assert failing(given, merged.arrow, Requirement("sales", P, 10.0)) == 0
    done = released(given, small_strata="suppress", **choices)
    assert done.arrow.num_rows == 55
    assert failing(given, done.arrow, Requirement("sales", P, 10.0)) == 0


def test_each_block_is_held_to_what_is_asked_of_its_own_columns() -> None:
    given = firms()
    done = released(given, blocks=[["sales", "staff"], ["loss"]], allow_blocks=True, p_percent={"sales": 15})
    assert failing(given, done.arrow.drop_columns(["loss"]), Requirement("sales", P, 15.0)) == 0
    assert done.report.groups[1].loss_percent_without is None


@pytest.mark.parametrize("more", [{}, {"weight": "weight"}, {"unit": "owner"}], ids=str)
def test_from_a_file_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, Any]) -> None:
    given = firms(600)
    files.small(monkeypatch)
    choices: dict[str, Any] = {"quasi": QUASI, "keep": ["row"], "accept": ["row"], "weights": "drop"} | more
    if "weight" not in more:
        choices.pop("weights")
    asked = Requirement("sales", P, 15.0)
    counted: dict[str, Any] = {"unit": more.get("unit", "row"), "weighted": "weight" in more}
    _, before = files.released(given, tmp_path, 3, **choices)
    assert failing(given, before, asked, **counted) > 0
    done, out = files.released(given, tmp_path, 3, p_percent={"sales": 15}, **choices)
    assert failing(given, out, asked, **counted) == 0
    assert [one["column"] for one in done.certificate.public["checked_on_the_original"]] == ["sales"]
    _, one = files.released(given, tmp_path, 3, **(choices | {"quasi": ["sales"]}), p_percent=15)
    assert failing(given, one, asked, **counted) == 0


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({P: {"region": 10}}, "p_percent names 'region', which is not a quasi-identifier"),
        ({P: {"seles": 10}}, "seles"),
        (
            {P: {"sales": 10}, "aggregates": {"sales": "median"}},
            "p_percent names 'sales', which is float and released as its median",
        ),
        (
            {P: 10, "nominal": QUASI},
            "p_percent is given, and no quasi-identifier is an amount that is released as its mean",
        ),
        ({P: {}}, "p_percent is an empty mapping"),
        ({P: {"sales": "x"}}, "p_percent of 'sales' is 'x'"),
        ({D: {"sales": 80}}, "dominance of 'sales' is 80; needed: a number of members and a percentage"),
    ],
)
def test_what_cannot_be_asked(choices: dict[str, Any], message: str) -> None:
    with pytest.raises((OptionError, covey.CoveyError), match=message):
        released(firms(60), **choices)


def test_what_no_groups_can_satisfy_is_said() -> None:
    given = firms(30).set_column(0, "sales", pa.array([1e9, *np.linspace(1.0, 2.0, 29)]))
    with pytest.raises(
        InfeasibleError, match="cannot hold: a few make too much of the amounts of all records together"
    ):
        released(given, dominance={"sales": (1, 80)})


@pytest.mark.skipif(not (SHARED / "eia.csv").exists(), reason=f"no benchmark tables in {SHARED}")
def test_the_energy_table() -> None:
    given = covey.io.read(SHARED / "eia.csv").table
    names = [name for name in given.column_names if name.endswith(("REVENUE", "SALES"))]
    given = given.select(names).append_column("row", pa.array(np.arange(given.num_rows)))
    plain = released(given, quasi=names)
    assert sum(failing(given, plain.arrow, Requirement(name, P, 10.0)) for name in names) > 50
    done = released(given, quasi=names, p_percent=10)
    assert sum(failing(given, done.arrow, Requirement(name, P, 10.0)) for name in names) == 0
    group = done.report.groups[0]
    assert group.loss_percent < 1.05 * plain.report.groups[0].loss_percent
    assert group.loss_percent_without == pytest.approx(plain.report.groups[0].loss_percent)
