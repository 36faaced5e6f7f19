"""k and l, or k and t, together: they hold in the release, by the definitions."""

from __future__ import annotations

import datetime as dt
import decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import InfeasibleError, OptionError, RefusedError
from covey.recount.release import recount_release
from tests.privacy import definitions as by

if TYPE_CHECKING:
    from pathlib import Path

    from covey.files.work import FileRelease


def people(n: int = 240, seed: int = 0, *, clustered: bool = False) -> pa.Table:
    """Illness depends on age, so that near records share it; clustered: altogether."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    risk = age // 18 if clustered else (age // 18 + rng.integers(0, 4, n)) % 5
    return pa.table(
        {
            "age": age,
            "income": rng.normal(3000, 500, n).round(2),
            "ill": np.array(["none", "flu", "cold", "gout", "rare"])[risk],
            "stage": np.array(["mild", "middle", "hard"])[np.minimum(age // 35, 2)],
            "cost": np.exp(rng.normal(4 + age / 30, 0.5)).round(2),
            "ward": rng.choice(["east", "west"], n),
            "person": np.arange(n) // 2,
            "weight": rng.integers(1, 5, n).astype(float),
        }
    )


def released(given: pa.Table, sensitive: Any = "ill", quasi: Any = ("age", "income"), **choices: Any) -> covey.Release:
    return covey.release(given, quasi=list(quasi), sensitive=sensitive, drop_rest=True, **({"k": 4} | choices))


QUASI = [("age",), ("age", "income")]


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("quasi", QUASI, ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_distinct(seed: int, quasi: tuple[str, ...], *, clustered: bool) -> None:
    done = released(people(seed=seed, clustered=clustered), quasi=quasi, l_diversity=3)
    found = by.classes(done.arrow.to_pylist(), quasi)
    assert min(map(len, found)) >= 4
    assert min(len(set(by.values(rows, "ill"))) for rows in found) >= 3
    assert min(len(set(by.values(rows, "ill"))) for rows in found) == done.report.requirements[0].worst_class


@pytest.mark.parametrize("quasi", QUASI, ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_entropy(seed: int, quasi: tuple[str, ...]) -> None:
    done = released(people(seed=seed), quasi=quasi, l_diversity=2.5, diversity="entropy")
    worst = min(by.entropy_l(by.values(rows, "ill")) for rows in by.classes(done.arrow.to_pylist(), quasi))
    assert worst >= 2.5 * (1 - 1e-12)
    assert worst == pytest.approx(done.report.requirements[0].worst_class)


@pytest.mark.parametrize("quasi", QUASI, ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_recursive(seed: int, quasi: tuple[str, ...]) -> None:
    done = released(people(seed=seed), quasi=quasi, l_diversity=2, diversity="recursive", recursive_c=1.5)
    found = by.classes(done.arrow.to_pylist(), quasi)
    assert all(by.recursive(by.values(rows, "ill"), 1.5, 2) for rows in found)


@pytest.mark.parametrize("most", ["1/3", 0.4])
@pytest.mark.parametrize("quasi", QUASI, ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_alpha(seed: int, quasi: tuple[str, ...], most: float | str) -> None:
    done = released(people(seed=seed), quasi=quasi, alpha=most)
    worst = max(by.largest_share(by.values(rows, "ill")) for rows in by.classes(done.arrow.to_pylist(), quasi))
    assert worst == done.report.requirements[0].worst_class
    assert worst <= {"1/3": 1 / 3}.get(str(most), 0.4)


def test_alpha_is_a_share_of_known_values(tmp_path: Path) -> None:
    given = people()
    ill = pa.array([None if i % 3 == 0 else value for i, value in enumerate(given["ill"].to_pylist())])
    done = released(given.set_column(2, "ill", ill), alpha=0.5)
    for rows in by.classes(done.arrow.to_pylist(), ("age", "income")):
        assert 0 < by.largest_share(by.values(rows, "ill")) <= 0.5
    certificate = tmp_path / "certificate.json"
    done.write(tmp_path / "out.csv", certificate=certificate)
    assert covey.check_certificate(tmp_path / "out.csv", certificate).passed


@pytest.mark.parametrize("quasi", QUASI, ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_closeness_of_unordered_values(seed: int, quasi: tuple[str, ...]) -> None:
    done = released(people(seed=seed), quasi=quasi, t_closeness=0.3)
    rows = done.arrow.to_pylist()
    worst = max(by.variational(by.values(c, "ill"), by.values(rows, "ill")) for c in by.classes(rows, quasi))
    assert worst <= 0.3 + 1e-9
    assert worst == pytest.approx(done.report.requirements[0].worst_class)


@pytest.mark.parametrize("quasi", QUASI, ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_closeness_of_numbers(seed: int, quasi: tuple[str, ...]) -> None:
    done = released(people(seed=seed), "cost", quasi=quasi, t_closeness=0.2, accept="cost")
    rows = done.arrow.to_pylist()
    worst = max(by.earth_mover(by.values(c, "cost"), by.values(rows, "cost")) for c in by.classes(rows, quasi))
    assert worst <= 0.2 + 1e-9
    assert worst == pytest.approx(done.report.requirements[0].worst_class)


def test_closeness_of_ordered_categories(tmp_path: Path) -> None:
    order = ["mild", "middle", "hard"]
    done = released(people(), "stage", t_closeness=0.25, ordinal={"stage": order}, accept="stage")
    rows = [row | {"stage": order.index(row["stage"])} for row in done.arrow.to_pylist()]
    worst = max(
        by.earth_mover(by.values(c, "stage"), by.values(rows, "stage")) for c in by.classes(rows, ("age", "income"))
    )
    assert worst <= 0.25 + 1e-9
    assert worst == pytest.approx(done.report.requirements[0].worst_class)
    done.write(tmp_path / "out.csv")  # whose recount reads text, and knows the order
    done.write(tmp_path / "out.parquet")


def test_dates_are_ordered_in_every_file(tmp_path: Path) -> None:
    days = pa.array(np.datetime64("2020-01-01") + people()["age"].to_numpy() % 30)
    given = people().append_column("day", days)
    done = released(given, "day", t_closeness=0.3)
    for name in ("out.csv", "out.parquet", "out.jsonl"):
        done.write(tmp_path / name)


def test_spread() -> None:
    done = released(people(), "cost", spread={"cost": 60.0}, accept="cost")
    found = by.classes(done.arrow.to_pylist(), ("age", "income"))
    assert min(max(by.values(c, "cost")) - min(by.values(c, "cost")) for c in found) >= 60.0


def test_several_columns_each_by_itself() -> None:
    done = released(
        people(), ["ill", "stage"], l_diversity={"ill": 3, "stage": 2}, t_closeness={"stage": 0.5}, accept="stage"
    )
    found = by.classes(done.arrow.to_pylist(), ("age", "income"))
    assert min(len(set(by.values(c, "ill"))) for c in found) >= 3
    assert min(len(set(by.values(c, "stage"))) for c in found) >= 2
    assert [one.column for one in done.report.requirements] == ["ill", "stage", "stage"]


def test_a_missing_value_never_counts() -> None:
    given = people()
    ill = [None if i % 2 else value for i, value in enumerate(given["ill"].to_pylist())]
    for missing in (None, ""):
        column = pa.array([missing if value is None else value for value in ill])
        done = released(given.set_column(2, "ill", column), l_diversity=3)
        for rows in by.classes(done.arrow.to_pylist(), ("age", "income")):
            assert len({row["ill"] for row in rows} - {None, ""}) >= 3


def test_units_strata_and_weights_keep_working() -> None:
    given = people()
    done = released(given, k=3, unit="person", l_diversity=3)
    found = by.classes(done.arrow.to_pylist(), ("age", "income"))
    assert min(len(set(by.values(c, "ill"))) for c in found) >= 3
    assert done.certificate.k >= 3
    done = released(given, strata=["ward"], weight="weight", l_diversity=3, t_closeness=0.45)
    rows = done.arrow.to_pylist()
    found = by.classes(rows, ("age", "income", "ward", "weight"))
    assert min(map(len, found)) >= 4
    assert min(len(set(by.values(c, "ill"))) for c in found) >= 3
    assert max(by.variational(by.values(c, "ill"), by.values(rows, "ill")) for c in found) <= 0.45 + 1e-9


@pytest.mark.parametrize("diversity", ["entropy", "recursive"])
def test_with_units_a_unit_counts_once_for_a_value(diversity: str) -> None:
    """One person has most rows of a class, all of one illness: by rows it would fail, by persons it does not."""
    person = [0] * 20 + [1, 2, 3, 4]
    ill = ["flu"] * 20 + ["flu", "cold", "gout", "rare"]
    given = pa.table({"age": [30] * 24, "ill": ill, "person": person})
    choices: dict[str, Any] = {"recursive_c": 3.0} if diversity == "recursive" else {}
    limit = 2 if diversity == "recursive" else 3.5
    done = released(
        given,
        quasi=["age"],
        k=5,
        unit="person",
        l_diversity=limit,
        diversity=diversity,
        refuse_links=1.0,
        accept=["ill"],
        **choices,
    )
    assert len(done.arrow) == 24
    with pytest.raises(InfeasibleError, match="cannot hold"):
        released(given, quasi=["age"], k=5, l_diversity=limit, diversity=diversity, **choices)


def test_a_stratum_that_cannot_hold_it_is_said_merged_or_suppressed() -> None:
    given = people().append_column("site", pa.array(["a"] * 232 + ["b"] * 8))
    ill = given["ill"].to_pylist()[:232] + ["flu"] * 8
    given = given.set_column(2, "ill", pa.array(ill))
    with pytest.raises(
        InfeasibleError, match="1 stratum holds fewer than k = 4 records, or does not satisfy what is required"
    ):
        released(given, strata=["site"], l_diversity=3)
    merged = released(given, strata=["site"], l_diversity=3, small_strata="merge")
    assert set(merged.arrow["site"].to_pylist()) == {"a + b"}
    cut = released(given, strata=["site"], l_diversity=3, small_strata="suppress")
    assert len(cut.arrow) == 232


def test_what_cannot_hold_is_said() -> None:
    with pytest.raises(InfeasibleError, match="at least 6 different values of ill cannot hold: .* have 5 different"):
        released(people(), l_diversity=6)
    with pytest.raises(
        InfeasibleError, match=r"share above 0\.2 cannot hold: .* 5 different values, too unequally often"
    ):
        released(people(), alpha=0.2)
    with pytest.raises(InfeasibleError, match="spread over less"):
        released(people(), "cost", spread={"cost": 1e9}, accept="cost")


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"l_diversity": 1}, "l_diversity is 1; needed: a number, 2 or more"),
        ({"l_diversity": 2.5}, "needed: a whole number of 2 or more, or diversity = entropy"),
        ({"l_diversity": "three"}, "l_diversity is 'three'"),
        ({"l_diversity": 3, "diversity": "median"}, "diversity is 'median'; needed: one of distinct, entropy"),
        ({"l_diversity": 3, "diversity": "recursive"}, "recursive_c and diversity = recursive go together"),
        ({"l_diversity": 3, "recursive_c": 2.0}, "recursive_c and diversity = recursive go together"),
        ({"diversity": "entropy"}, "l_diversity is not given, so that has no effect"),
        ({"alpha": 1}, "alpha is 1; needed: a share above 0 and below 1, such as 0.5 or 1/3"),
        ({"alpha": {"ill": "1/0"}}, "alpha of 'ill' is '1/0'"),
        ({"t_closeness": 1.5}, "t_closeness is 1.5; needed: a number, 0 to 1"),
        ({"t_closeness": {"age": 0.2}}, "t_closeness names 'age', which is not sensitive"),
        ({"l_diversity": {"il": 3}}, "did you mean 'ill'"),
        ({"spread": {"ill": 3.0}}, "a spread is asked of 'ill', which is nominal; needed: numbers"),
        ({"l_diversity": 3, "blocks": [["age"], ["income"]], "allow_blocks": True}, "needed: one grouping"),
        (
            {"nominal": "ward"},
            "nominal names 'ward', which is not a quasi-identifier or sensitive, so that has no effect",
        ),
    ],
)
def test_mistakes(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError if "did you" not in message else covey.CoveyError, match=message):
        released(people(), **choices)


def test_a_requirement_needs_a_sensitive_column() -> None:
    with pytest.raises(OptionError, match="l_diversity is given, and no column is sensitive"):
        covey.release(people(), k=4, quasi=["age"], drop_rest=True, l_diversity=3)


def test_distinct_values_of_a_continuous_column_are_refused() -> None:
    with pytest.raises(OptionError, match="which is continuous .* use t_closeness or a least spread"):
        released(people(), "cost", l_diversity=3, accept="cost")
    codes = people().append_column("code", pa.array(np.arange(240) % 40))
    with pytest.raises(OptionError, match="declare it a category if its numbers are codes"):
        released(codes, "code", l_diversity=3)
    assert released(codes, "code", l_diversity=3, nominal="code").report.requirements


def test_a_recipe_replays() -> None:
    done = released(people(), l_diversity={"ill": 3}, diversity="recursive", recursive_c=2.0, t_closeness=0.5)
    again = covey.release(people(), recipe=covey.Recipe.from_toml(done.recipe.to_toml()))
    assert again.arrow.equals(done.arrow)


def test_the_recount_refuses_what_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    done = released(people(), l_diversity=3, t_closeness=0.6)
    same = pa.array(["flu"] * len(done.arrow))
    spoiled = done.arrow.set_column(done.arrow.column_names.index("ill"), "ill", same)
    with pytest.raises(RefusedError, match=r"at least 3 different values of ill \(the worst class reaches 1\)"):
        done.recount(spoiled)
    gone = done.arrow.set_column(done.arrow.column_names.index("ill"), "ill", pa.array([None] * 240, pa.string()))
    with pytest.raises(RefusedError, match="the worst class reaches 0"):
        recount_release(gone, done.recipe, None, 240)
    monkeypatch.setattr("covey.protect.group._Cell.complying", lambda _cell, labels, part, *_: (labels, part))
    with pytest.raises(RefusedError, match="the recount found classes without"):
        released(people(clustered=True), l_diversity=3)


def test_the_price_and_what_it_does_not_stop_are_said() -> None:
    done = released(people(clustered=True), l_diversity=3)
    (group,) = done.report.groups
    assert (group.loss_percent_without or 0.0) < group.loss_percent
    assert group.status == "feasible"
    plain = released(people(clustered=True))
    assert group.loss_percent_without == pytest.approx(plain.report.groups[0].loss_percent, rel=1e-6)
    from covey.report.render import to_html, to_text

    assert "% without the requirements on sensitive columns" in to_text(done.report)
    page = to_html(done.report)
    for words in ("requirements on sensitive columns", "at least 3 different values of ill", "skewness", "similarity"):
        assert words in page
    assert "at least 3 different values of ill" in done.certificate.public["promise"]
    assert done.certificate.public["requirements"][0]["worst_class"] == 3
    assert "skewness" not in to_html(plain.report)


@pytest.mark.parametrize("method", ["pca", "mdav", "nearest-neighbour"])
def test_the_loss_without_requirements_is_that_of_the_method_alone(method: str) -> None:
    """Also where the groups that satisfy the requirements lose less."""
    rng = np.random.default_rng(1)
    table = pa.table({f"x{i}": rng.normal(size=90) for i in range(4)} | {"ill": rng.choice(list("abcd"), 90).tolist()})
    chosen: dict[str, Any] = {"k": 3, "quasi": [f"x{i}" for i in range(4)], "sensitive": ["ill"], "method": method}
    (group,) = covey.release(table, l_diversity=3, **chosen).report.groups
    (alone,) = covey.release(table, **chosen).report.groups
    assert group.loss_percent_without == pytest.approx(alone.loss_percent, rel=1e-9)
    if method == "pca":
        assert group.loss_percent < alone.loss_percent


@pytest.mark.parametrize("engine", ["memory", "file"])
@pytest.mark.parametrize("asked", [{}, {"t_closeness": 1.0}])
def test_closeness_is_reported_by_what_was_declared(engine: str, asked: dict[str, Any], tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    table = pa.table({"age": rng.integers(20, 60, 60), "code": rng.choice([1, 2, 9], 60)})
    told: dict[str, dict[str, Any]] = {
        "ordered": {},
        "equal": {"nominal": ["code"]},
        "ranks": {"ordinal": {"code": ["2", "9", "1"]}},
    }
    found = {}
    for name, declared in told.items():
        chosen: dict[str, Any] = {"k": 5, "quasi": ["age"], "sensitive": ["code"], **declared, **asked}
        if engine == "memory":
            done: covey.Release | FileRelease = covey.release(table, **chosen)
        else:
            pq.write_table(table, tmp_path / "in.parquet")
            target = tmp_path / f"{name}.parquet"
            done = covey.release_file(tmp_path / "in.parquet", target, ledger=False, **chosen)
        (shown,) = done.report.sensitive
        found[name] = shown.t_closeness, shown.distance
        for held in done.report.requirements:
            assert held.worst_class == pytest.approx(shown.t_closeness)
    assert [distance for _, distance in found.values()] == ["ordered", "equal", "ordered"]
    assert len({round(t or 0.0, 9) for t, _ in found.values()}) == 3


def test_groups_that_comply_already_stay_as_they_are() -> None:
    done = released(people(), k=12, l_diversity=2, shuffle=False)
    plain = released(people(), k=12, shuffle=False)
    assert done.arrow.equals(plain.arrow)
    single = released(people(), quasi=["age"], l_diversity=2)
    assert single.report.groups[0].status == "optimal"


def test_text_that_is_a_number_is_judged_as_one(tmp_path: Path) -> None:
    rows = "".join(f"{20 + i % 50},{i % 4}.{'5' if i % 2 else '50'}\n" for i in range(120))
    (tmp_path / "t.csv").write_text("age,score\n" + rows)
    done = covey.release(tmp_path / "t.csv", k=4, quasi=["age"], sensitive=["score"], l_diversity=3, accept=["score"])
    for found in by.classes(done.arrow.to_pylist(), ("age",)):
        assert len({float(row["score"]) for row in found}) >= 3


ORDERED: dict[str, Any] = {
    "times": [dt.datetime(2020, 1, 1 + i, tzinfo=dt.UTC) for i in range(4)],
    "floats": [1.0, 2.0, 2.5, 3.0],
    "large": [2**60 + i for i in range(4)],
    "nanoseconds": np.array([0, 1, 2, 3], dtype="datetime64[ns]"),
    "decimals": [decimal.Decimal(f"0.0000000000000000{i}") for i in range(1, 5)],
    "halves": np.arange(4, dtype=np.float16),
}


@pytest.mark.parametrize("name", ORDERED)
def test_the_recount_tells_values_of_every_type_apart(name: str) -> None:
    code = np.repeat(np.arange(4), 15)
    values = ORDERED[name]
    column = pa.array(values).take(pa.array(code)) if isinstance(values, list) else pa.array(values[code])
    given = pa.table({"q": np.sort(np.random.default_rng(0).normal(size=60)), "s": column})
    done = covey.release(given, k=5, quasi=["q"], sensitive=["s"], accept=["s"], t_closeness=0.2)
    rows = [{"q": q, "s": column.to_pylist().index(s)} for q, s in zip(*done.arrow.to_pydict().values(), strict=True)]
    worst = max(by.earth_mover(by.values(c, "s"), by.values(rows, "s")) for c in by.classes(rows, ("q",)))
    assert done.report.requirements[0].worst_class == pytest.approx(worst)
    assert 0.0 < worst <= 0.2 + 1e-9
    assert covey.release(given, k=5, quasi=["q"], sensitive=["s"], accept=["s"], l_diversity=3)


@pytest.mark.parametrize("values", [[1.0, 2.0, 2.5, 3.0], [False, True], ["", "a", "b", "c"], ["c", "a", "b"]])
def test_ordered_categories_of_any_type(values: list[Any]) -> None:
    pandas = pytest.importorskip("pandas")
    code = np.repeat(np.arange(len(values)), 60 // len(values))
    column = pandas.Categorical.from_codes(code, values, ordered=True)
    given = pandas.DataFrame({"q": np.sort(np.random.default_rng(0).normal(size=60)), "s": column})
    done = covey.release(given, k=5, quasi=["q"], sensitive=["s"], accept=["s"], t_closeness=0.25)
    assert 0.0 < done.report.requirements[0].worst_class <= 0.25 + 1e-9
    least = len([value for value in values if value != ""])
    assert covey.release(given, k=5, quasi=["q"], sensitive=["s"], accept=["s"], l_diversity=least)
    with pytest.raises(InfeasibleError):
        covey.release(given, k=5, quasi=["q"], sensitive=["s"], accept=["s"], l_diversity=least + 1)


def test_published_ids_of_a_unit_of_one_row_change_nothing() -> None:
    given = people()
    given = given.set_column(given.column_names.index("person"), "person", pa.array(range(given.num_rows)))
    linked = released(given, unit="person", random_ids=["person"], l_diversity=2, entropy="ab" * 32)
    plain = released(given, drop=["person"], l_diversity=2, entropy="ab" * 32)
    assert linked.arrow.drop_columns(["person"]).equals(plain.arrow)


def test_published_weights_that_part_classes_are_hinted_at() -> None:
    given = pa.table({"q": np.zeros(40), "w": np.repeat([1.0, 2.0], 20), "s": ["a"] * 20 + ["b"] * 20})
    with pytest.raises(RefusedError, match="published weights count as known to others; round them"):
        covey.release(given, k=5, quasi=["q"], sensitive=["s"], weight="w", weights="keep", accept="s", l_diversity=2)


def test_a_decimal_comma_is_read_back(tmp_path: Path) -> None:
    rows = "".join(f"{i // 2};{i % 20},{i % 10}0\n" for i in range(120))
    (tmp_path / "comma.csv").write_text("q;s\n" + rows)
    choices: dict[str, Any] = {"k": 5, "quasi": ["q"], "sensitive": ["s"], "accept": ["s"]}
    asked: list[dict[str, Any]] = [{"t_closeness": 0.3}, {"spread": {"s": 5.0}}]
    for number, more in enumerate(asked):
        done = covey.release(tmp_path / "comma.csv", **choices, **more)
        done.write(tmp_path / f"out{number}.csv")
        assert "," in (tmp_path / f"out{number}.csv").read_text()


def test_a_nominal_column_is_judged_as_it_is_published(tmp_path: Path) -> None:
    texts = ["250.10", "250.1", "3.50", "3.5", "7.25"]
    (tmp_path / "t.csv").write_text("q,s\n" + "".join(f"{i // 3},{texts[i % 5]}\n" for i in range(100)))
    choices: dict[str, Any] = {"k": 5, "quasi": ["q"], "sensitive": ["s"], "nominal": ["s"], "t_closeness": 0.3}
    done = covey.release(tmp_path / "t.csv", **choices, l_diversity=3)
    rows = done.arrow.to_pylist()
    assert {row["s"] for row in rows} == set(texts)
    found = by.classes(rows, ("q",))
    assert max(by.variational(by.values(c, "s"), by.values(rows, "s")) for c in found) <= 0.3 + 1e-9
    numbers = [float(row["s"]) for row in rows]
    assert max(by.variational([float(v) for v in by.values(c, "s")], numbers) for c in found) <= 0.3 + 1e-9
    assert min(len(set(map(float, by.values(c, "s")))) for c in found) == 3
    done.write(tmp_path / "out.csv")
    with pytest.raises(InfeasibleError, match="have 3 different values"):
        covey.release(tmp_path / "t.csv", **choices, l_diversity=4)


def test_units_of_one_row_lose_no_more_than_records() -> None:
    given = people().append_column("id", pa.array(range(240)))
    units: list[dict[str, Any]] = [{}, {"unit": "id"}]
    losses = [released(given, l_diversity=4, **more).report.groups[0].loss_percent for more in units]
    assert losses[1] == pytest.approx(losses[0])


@pytest.mark.parametrize("t", [0.0, 0.02, 0.1])
def test_strict_closeness_ends_with_more_than_one_group_where_it_can(t: float) -> None:
    given = pa.table({"q": np.arange(400.0), "s": ["a", "b"] * 200})
    done = released(given, "s", quasi=["q"], t_closeness=t)
    assert done.report.classes > 20
    skew = pa.table({"q": np.arange(400.0), "s": ["a"] * 200 + ["b"] * 200})
    done = released(skew, "s", quasi=["q"], t_closeness=t, accept="s")
    assert done.report.classes > 20


def test_numbers_of_numpy_are_numbers() -> None:
    assert released(people(), l_diversity=np.int64(3), t_closeness=np.float32(0.6)).report.requirements
    with pytest.raises(OptionError, match="is an empty mapping"):
        released(people(), l_diversity={})
