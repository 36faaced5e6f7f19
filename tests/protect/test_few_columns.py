"""k of every few columns: counted by brute force on released values, and by an attacker who knows that many columns."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv

import covey
from covey import cli
from covey.columns.hierarchy.tree import Tree, tree_of_rows
from covey.errors import OptionError, RefusedError
from covey.protect.few_columns import Climb
from covey.recount.few_columns import OfFew, recount_few
from covey.recount.release import recount_release
from covey.report.render import to_html, to_text

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [[f"{value}", f"a{value // 2}", f"b{value // 4}", "*"] for value in range(8)]
LEVELS = {value: tuple(labels) for value, *labels in ROWS}
COLUMNS = ["a", "b", "c", "d"]


def table(n: int = 120, seed: int = 0, columns: list[str] = COLUMNS, **more: Any) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table({name: rng.binomial(7, 0.4, n).astype(str) for name in columns} | more)


def release(source: pa.Table, k_for: dict[int, int] | None = None, **choices: Any) -> covey.Release:
    settled: dict[str, Any] = {
        "quasi": COLUMNS,
        "hierarchy": dict.fromkeys(COLUMNS, LEVELS),
        "shuffle": False,
        "measuring": False,
    }
    return covey.release(source, k_for={3: 4} if k_for is None else k_for, **(settled | choices))


def least(rows: list[tuple[Any, ...]], few: int) -> int:
    """By definition: the smallest class over any few places."""
    places = combinations(range(len(rows[0])), few)
    return min(min(Counter(tuple(row[j] for j in some) for row in rows).values()) for some in places)


def rows_of(source: pa.Table, names: list[str] = COLUMNS) -> list[tuple[Any, ...]]:
    return list(zip(*(source[name].to_pylist() for name in names), strict=True))


@pytest.mark.parametrize("few", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_every_few_columns_are_shared_by_k(few: int, seed: int) -> None:
    done = release(table(seed=seed), {few: 4})
    rows = rows_of(done.arrow)
    assert least(rows, few) >= 4
    assert done.certificate.k == least(rows, 4)
    assert done.certificate.public["k_for_every"] == {"columns": few, "k": least(rows, few)}


def test_labels_are_true() -> None:
    source = table()
    done = release(source)
    for name in COLUMNS:
        pairs = zip(source[name].to_pylist(), done.arrow[name].to_pylist(), strict=True)
        assert all(label in (value, *LEVELS[value]) for value, label in pairs)


def test_an_attacker_who_knows_three_columns_has_k_candidates() -> None:
    """Whose label is above what is known is a candidate; all but one of the others may be known to the attacker as well."""
    source = table(80)
    released = rows_of(release(source).arrow)
    for target, known in enumerate(rows_of(source)):
        for some in combinations(range(4), 3):
            own = tuple(released[target][j] for j in some)
            assert all(own[place] in (known[j], *LEVELS[known[j]]) for place, j in enumerate(some))
            alike = [row for row in released if tuple(row[j] for j in some) == own]
            assert len(alike) >= 4, "records that look the same to who knows these columns, whatever is known of others"


def loss(source: pa.Table, released: pa.Table) -> float:
    tree = tree_of_rows("a", ROWS)
    values, labels = (
        np.array([[tree.code_of[label] for label in row] for row in rows_of(one)]) for one in (source, released)
    )
    return float(tree.losses(values, labels).sum())


@pytest.mark.parametrize("seed", range(4))
def test_fewer_columns_lose_no_more_than_all(seed: int) -> None:
    source = table(60, seed)
    whole = covey.release(
        source, k=4, quasi=COLUMNS, hierarchy=dict.fromkeys(COLUMNS, LEVELS), shuffle=False, measuring=False
    )
    assert loss(source, release(source).arrow) <= loss(source, whole.arrow)


def test_where_few_columns_lose_more_the_groups_of_all_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "covey.protect.work.few_alike",
        lambda columns, *_: [covey.Partition([0] * len(columns[0]))] * len(columns),
    )
    done = release(table())
    assert 4 <= done.certificate.k < 120, "not one group of all"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_labels_go_up_until_few_columns_are_shared(data: st.DataObject) -> None:
    k, few = data.draw(st.integers(2, 4)), data.draw(st.integers(2, 3))
    columns, n = data.draw(st.integers(few, 5)), data.draw(st.integers(k, 25))
    tree = tree_of_rows("a", ROWS)
    picked = data.draw(
        st.lists(st.lists(st.integers(0, 7), min_size=columns, max_size=columns), min_size=n, max_size=n)
    )
    values = np.array([[tree.code_of[str(value)] for value in row] for row in picked])
    labels = Climb([tree] * columns, [1.0] * columns, values, k, few).settled()
    assert least([tuple(row) for row in labels.tolist()], few) >= k
    assert (tree.common(values, labels) == labels).all()


def test_a_record_that_is_alone_at_the_roots_brings_others() -> None:
    tree = tree_of_rows("a", [["0", "*"], ["1", "*"]])
    values = np.array([[tree.code_of[text]] * 3 for text in "000001"])
    labels = Climb([tree] * 3, [1.0] * 3, values, 3, 2).settled()
    assert least([tuple(row) for row in labels.tolist()], 2) >= 3


def test_many_columns_have_no_room_for_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = tree_of_rows("a", ROWS)
    values = np.array([[tree.code_of[text] for text in row] for row in rows_of(table())])
    climbs = [Climb([tree] * 4, [1.0] * 4, values, 4, 3).settled()]
    monkeypatch.setattr("covey.protect.few_columns.LARGEST", 20)
    climbs.append(Climb([tree] * 4, [1.0] * 4, values, 4, 3).settled())
    assert (climbs[0] == climbs[1]).all()


def test_importance_protects_a_column() -> None:
    tree: Tree = tree_of_rows("a", ROWS)
    values = np.array([[tree.code_of[text] for text in row] for row in rows_of(table())])
    ups = [
        (Climb([tree] * 4, [weight, 1.0, 1.0, 1.0], values, 4, 3).settled()[:, 0] != values[:, 0]).sum()
        for weight in (0.1, 10.0)
    ]
    assert ups[0] > ups[1]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from(["x", "y", None])] * 4), min_size=1, max_size=12), st.integers(1, 4))
def test_the_recount_is_that_of_brute_force(rows: list[tuple[Any, ...]], few: int) -> None:
    source = pa.table({name: [row[j] for row in rows] for j, name in enumerate(COLUMNS)})
    assert recount_few(source, COLUMNS, few) == OfFew(few, least(rows, few))


def test_a_table_that_falls_short_is_refused() -> None:
    source = table()
    recipe = covey.Recipe.from_dict({"quasi": COLUMNS, "hierarchy": dict.fromkeys(COLUMNS, LEVELS), "k_for": {3: 4}})
    with pytest.raises(RefusedError, match="the recount found a class of 1 below k = 4 over some 3 columns together"):
        recount_release(source, recipe, None, len(source))


def test_it_is_said_in_words() -> None:
    done = release(table(), measuring=True)
    k = done.certificate.k
    assert done.certificate.public["promise"].startswith(
        "k-anonymity with k = 4 for every 3 columns, not for all: nobody can single out fewer than 4 records by any 3 of a, b, c, d. "
        f"Who knows all of these together can single out {k}."
    )
    assert f"k = 4 achieved for every 3 columns, 4 asked, and {k} for all together, counted in records" in to_text(
        done.report
    )
    assert f"<strong>k = 4</strong> for every 3 columns, 4 asked, and {k} for all together" in to_html(
        done.report.public()
    )


def test_a_certificate_is_counted_again(tmp_path: Path) -> None:
    done = release(table())
    out, claims = tmp_path / "out.csv", tmp_path / "certificate.json"
    done.write(out, certificate=claims, ledger=False)
    checked = covey.check_certificate(out, claims)
    assert checked.passed
    assert "k of every 3 columns = 4: holds" in checked.to_text()
    claims.write_text(claims.read_text().replace('"k": 4', '"k": 6'))
    assert "k of every 3 columns = 4: FAILS" in covey.check_certificate(out, claims).to_text()


def test_the_commands(tmp_path: Path, capsys: Any) -> None:
    folder = [str(tmp_path / name) for name in ("in.csv", "levels.csv", "out.csv")]
    csv.write_csv(table(), folder[0])
    (tmp_path / "levels.csv").write_text("\n".join(";".join(row) for row in ROWS))
    levels = [text for name in COLUMNS for text in ("--hierarchy", f"{name}={folder[1]}")]
    columns = ["--quasi", ",".join(COLUMNS)]
    chosen = [*columns, *levels, "--k-for", "3=4", "--no-ledger"]
    assert cli.main(["release", folder[0], "-o", folder[2], *chosen]) == 0
    capsys.readouterr()
    assert cli.main(["check", folder[2], *columns, "--k-for", "3=4"]) == 0
    assert "k of every 3 columns = 4 (asked: 4): holds" in capsys.readouterr().out
    assert cli.main(["check", folder[0], *columns, "--k-for", "3=4"]) == 1
    assert cli.main(["check", folder[2], *columns, "--k-for", "4=4"]) == 2
    assert cli.main(["check", folder[2], *columns, "--k-for", "three=4"]) == 2
    assert cli.main(["check", folder[2], *columns, "--k-for", "3=4", "--unit", "a"]) == 2


def test_a_recipe_file_holds_it() -> None:
    recipe = covey.Recipe.from_dict({"quasi": COLUMNS, "hierarchy": dict.fromkeys(COLUMNS, LEVELS), "k_for": {"3": 4}})
    assert recipe.k == 4
    assert "[k_for]\n3 = 4\n" in recipe.to_toml()
    assert covey.Recipe.from_toml(recipe.to_toml()) == recipe


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"k": 3}, "k is 3, and k_for asks for 4; needed: the same"),
        ({"k_for": {4: 3}}, "for every 4 columns, and there are 4 quasi-identifiers"),
        ({"k_for": {1: 3}}, "needed: one number of columns and one k, both 2 or more"),
        ({"k_for": {2: 3, 3: 2}}, "needed: one number of columns and one k"),
        ({"k_for": "3"}, "needed: one number of columns and one k"),
        ({"hierarchy": {"a": LEVELS}}, "b, c, d have no hierarchy"),
        ({"aggregates": {"a": "mode"}}, "the aggregate of 'a' is no ancestor"),
        ({"strata": ["s"]}, "beside strata"),
        ({"unit": "s"}, "beside a unit"),
        ({"weight": "s"}, "beside a weight"),
        ({"suppress": 8}, "beside suppress"),
        ({"missing": "own-group"}, "beside missing values"),
        ({"zeros_apart": ["a"]}, "beside zeros_apart"),
        ({"edits": ["a = b + c"]}, "beside edit rules"),
        ({"sensitive": ["s"], "l_diversity": 2}, "beside requirements"),
        ({"p_percent": 10}, "beside p_percent"),
        ({"dominance": (1, 80)}, "beside dominance"),
        ({"blocks": [["a", "b"], ["c", "d"]]}, "beside blocks"),
    ],
)
def test_what_does_not_go_together_is_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        release(table(s=["x"] * 120), **choices)


def test_too_many_combinations_are_refused() -> None:
    names = [f"q{number}" for number in range(40)]
    hierarchy = dict.fromkeys(names, LEVELS)
    with pytest.raises(OptionError, match="9880 combinations; needed: at most 5000"):
        covey.Recipe.from_dict({"quasi": names, "hierarchy": hierarchy, "k_for": {3: 4}})
