"""Hierarchies: how they are declared and read, the tree that they are, and the distances in it."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from covey.columns.coordinates import Scaler
from covey.columns.hierarchy.declared import as_hierarchy, intervals, tree_of
from covey.columns.hierarchy.place import tree_place
from covey.columns.hierarchy.reading import read_hierarchical
from covey.columns.hierarchy.tree import tree_of_rows
from covey.errors import InputError, OptionError
from tests.columns.trees import random_chains, tree

if TYPE_CHECKING:
    from pathlib import Path

LUNG = [["J44", "J4", "J"], ["J45", "J4", "J"], ["K35", "K3", "K"]]
SEEDS = [(seed, inner) for seed in range(12) for inner in (0.0, 0.5)]


@pytest.mark.parametrize(("seed", "inner"), SEEDS)
def test_a_tree_is_what_its_rows_say(seed: int, inner: float) -> None:
    chains = random_chains(seed, 1 + seed, depth=4, inner=inner)
    made = tree(chains)
    assert {label for label, value in zip(made.labels, made.is_value, strict=True) if value} == set(chains.of_value)
    for one, other in itertools.product(made.labels, repeat=2):
        if one == made.labels[0] or other == made.labels[0]:
            continue
        common = made.common(np.array([made.code_of[one]]), np.array([made.code_of[other]]))[0]
        assert made.labels[common] == chains.common([one, other])
    for value, label in itertools.product(chains.values, made.labels):
        codes = np.array([made.code_of[value]]), np.array([made.code_of[label]])
        assert made.losses(*codes)[0] == pytest.approx(chains.loss(value, label))


@pytest.mark.parametrize("seed", range(6))
def test_the_common_ancestor_of_several_is_that_of_the_first_and_the_last(seed: int) -> None:
    chains = random_chains(seed, 9, depth=5, inner=0.3)
    made, draw = tree(chains), np.random.default_rng(seed)
    for _ in range(30):
        several = draw.choice(chains.values, 4).tolist()
        codes = np.array(sorted(made.code_of[value] for value in several))
        assert made.labels[made.common(codes[:1], codes[-1:])[0]] == chains.common(several)


def test_a_label_on_two_branches_is_named() -> None:
    with pytest.raises(InputError, match="label 'J4' .* two branches"):
        tree_of_rows("diagnosis", [["J44", "J4", "J"], ["K45", "J4", "K"]])
    with pytest.raises(InputError, match="'B' .* two branches"):
        tree_of_rows("x", [["A", "B"], ["B", "A"]])
    with pytest.raises(InputError, match="'J44' .* two branches"):
        tree_of_rows("diagnosis", [["J44", "J4", "J"], ["J44", "J5", "J"]])


def test_blank_and_repeated_labels_are_the_one_before() -> None:
    made = tree_of_rows("x", [["a", "", "top"], ["b", "b", "top"], ["c", "m", "top"]])
    assert made.labels == ("top", "a", "b", "m", "c")
    assert made.loss.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_a_root_is_made_where_there_are_several() -> None:
    assert tree_of_rows("x", LUNG).labels == ("*", "J", "J4", "J44", "J45", "K", "K3", "K35")
    assert tree_of_rows("x", [["a", "*"], ["b", "*"]]).labels == ("*", "a", "b")


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
@pytest.mark.parametrize("above", ["", "value{0}group{0}chapter\n", "diagnosis{0}group{0}chapter\n"])
def test_a_file_of_levels_is_read(tmp_path: Path, delimiter: str, above: str) -> None:
    path = tmp_path / "icd.csv"
    text = above.format(delimiter) + "".join(delimiter.join(row) + "\n" for row in LUNG)
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert as_hierarchy(path, "the hierarchy of 'diagnosis'") == tuple(map(tuple, LUNG))
    assert as_hierarchy(str(path), "the hierarchy of 'diagnosis'") == tuple(map(tuple, LUNG))


def test_quoted_labels_may_hold_the_delimiter(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text('1,"cooks, bakers",services\n2,"drivers",transport\n')
    assert as_hierarchy(path, "x")[0] == ("1", "cooks, bakers", "services")


def test_mappings_dataframes_and_rows_are_the_same() -> None:
    rows = tuple(map(tuple, LUNG))
    assert as_hierarchy({row[0]: row[1:] for row in LUNG}, "x") == rows
    assert as_hierarchy(pd.DataFrame(LUNG, columns=["v", "a", "b"]), "x") == rows
    assert as_hierarchy([list(row) for row in LUNG], "x") == rows
    assert as_hierarchy({"a": "b"}, "x") == (("a", "b"),)


@pytest.mark.parametrize(
    "given",
    ["prefix:0", "prefix:x", "cuts:", "cuts:3,2", [[1, 2], [3]], [[1, 1]], [], [["a"]], [["", "b"]], 3, {"a": []}],
)
def test_other_declarations_are_refused(given: object) -> None:
    with pytest.raises(OptionError):
        as_hierarchy(given, "the hierarchy of 'x'")


@pytest.mark.parametrize("text", ["", "one column\nonly\n", "a;b\nc\n"])
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "levels.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="levels"):
        as_hierarchy(path, "the hierarchy of 'x'")
    with pytest.raises(InputError, match="cannot be read"):
        as_hierarchy(tmp_path / "none.csv", "the hierarchy of 'x'")


def read(values: Any, hierarchy: Any, kind: Any = None) -> Any:
    return read_hierarchical("x", pa.array(values, kind), as_hierarchy(hierarchy, "the hierarchy of 'x'"))


def test_codes_are_read_as_text_and_prefixes_are_labels() -> None:
    column = read(["0101", "0102", "0200", None, "99"], "prefix:1,2")
    assert column.tree.labels == ("****", "0***", "01**", "0101", "0102", "02**", "0200", "9***", "99")
    assert column.build().to_pylist() == ["0101", "0102", "0200", None, "99"]
    assert read(["12", "13"], "prefix").tree.labels == ("**", "1*", "12", "13")


@pytest.mark.parametrize(
    ("values", "kind"),
    [([1, 2, None], pa.int32()), ([1.0, 2.0, None], pa.float64()), (["1", "2", None], pa.string())],
)
def test_whole_numbers_are_looked_up_without_a_point(values: list[Any], kind: Any) -> None:
    column = read(values, {"1": "a", "2": "b"}, kind)
    assert column.build().to_pylist() == ["1", "2", None]
    assert column.build().type == pa.string()


def test_each_number_is_a_text_by_itself_so_that_parts_agree() -> None:
    levels = {"1": "a", "1.5": "a"}
    assert read([1.0, 1.5], levels).build().to_pylist() == ["1", "1.5"]


def test_dictionaries_stay_dictionaries() -> None:
    column = read(pa.array(["J44", "K35"]).dictionary_encode(), LUNG)
    assert column.build().type == pa.dictionary(pa.int32(), pa.string())


@pytest.mark.parametrize("values", [["J44", "J99"], ["J44", "J4"], ["J44", " "], ["J44", "j44"]])
def test_values_that_are_not_in_the_hierarchy_are_counted_and_not_shown(values: list[str]) -> None:
    with pytest.raises(InputError, match=r"1 values of column 'x' \(1 rows\)") as caught:
        read(values, LUNG)
    assert values[1] not in str(caught.value).replace("column 'x'", "").split("needed")[0].split() or values[1] == " "


def test_cuts_are_declared_and_never_ends_of_a_group() -> None:
    column = read([17, 18, 39, 40, 64, 65, 99, None], [[18, 40, 65], [40]])
    expected = ["under 18", "18 to 39", "18 to 39", "40 to 64", "40 to 64", "65 or more", "65 or more", None]
    assert column.build().to_pylist() == expected
    assert column.tree.labels == ("*", "under 40", "under 18", "18 to 39", "40 or more", "40 to 64", "65 or more")
    widths = np.array([22, 22, 25, 25])
    assert column.tree.loss[[2, 3, 5, 6]] == pytest.approx(widths / widths.sum())
    assert column.tree.loss[[1, 4]] == pytest.approx([44 / 94, 50 / 94])
    assert as_hierarchy("cuts:18,40,65;40", "x") == as_hierarchy([[18, 40, 65], [40]], "x")


def test_intervals_are_written_for_whole_numbers_and_others() -> None:
    assert intervals([0, 1, 3], whole=True) == ["under 0", "0", "1 to 2", "3 or more"]
    assert intervals([0.5, 1], whole=False) == ["under 0.5", "0.5 to under 1", "1 or more"]
    decimals = pa.array([1, 2], pa.decimal128(5, 2))
    assert read(decimals, [1.5]).build().to_pylist() == ["under 1.5", "1.5 or more"]
    with pytest.raises(InputError, match="cuts numbers"):
        read(["a"], [1, 2])


def test_a_single_cut_parts_in_halves() -> None:
    assert tree_of("x", ((18,),), [], whole=True).loss.tolist() == [1.0, 0.5, 0.5]


# -- distances


def squared(points: Any) -> Any:
    return ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)


@pytest.mark.parametrize(("seed", "inner"), SEEDS)
def test_squared_distances_are_those_of_indicators_of_ancestors(seed: int, inner: float) -> None:
    chains = random_chains(seed, 2 + seed % 9, depth=4, inner=inner)
    made = tree(chains)
    codes = np.flatnonzero(made.is_value)
    counts = np.random.default_rng(seed).integers(1, 9, len(codes))
    points = tree_place(made, codes, counts, 30, standard=False).points
    weight = made.loss[made.parent] - made.loss
    indicators = np.zeros((len(made), len(made)))
    for node, path in enumerate(made.paths):
        indicators[node, np.unique(path)] = 1.0
    expected = squared(indicators * np.sqrt(weight / 2))[np.ix_(codes, codes)]
    assert squared(points[codes]) == pytest.approx(expected, abs=1e-12)
    if not inner:
        assert points.shape[1] == max(1, len(codes) - 1)
        common = made.common(codes[:, None], codes[None, :])
        apart = np.where(codes[:, None] == codes[None, :], 0.0, made.loss[common])
        assert squared(points[codes]) == pytest.approx(apart, abs=1e-12)  # twice the loss, halved
    standard = tree_place(made, codes, counts, 30, standard=True).points[codes]
    share = counts / counts.sum()
    if len(codes) > 1:
        assert share @ squared(standard) @ share == pytest.approx(2.0)


def test_many_values_are_projected_and_keep_their_distances_nearly() -> None:
    made = tree(random_chains(5, 60, depth=6))
    codes = np.flatnonzero(made.is_value)
    exact, near = (
        tree_place(made, codes, np.ones(len(codes), dtype=np.int64), most, standard=True).points for most in (99, 16)
    )
    assert near.shape[1] == 16
    ratio = (squared(near[codes]) / np.where(squared(exact[codes]) > 0, squared(exact[codes]), 1))[
        np.triu_indices(len(codes), 1)
    ]
    assert ratio.min() > 0.25
    assert ratio.max() < 2.5
    assert abs(ratio.mean() - 1) < 0.1
    assert ratio.std() < 0.35


def test_a_missing_value_is_a_branch_of_its_own() -> None:
    column = read(["J44", "J45", "K35", None], LUNG)
    points = Scaler([column], scale="range")([column])
    apart = squared(points)
    assert apart[3, :3] == pytest.approx([1.0, 1.0, 1.0])
    assert apart[0] == pytest.approx([0.0, 0.5, 1.0, 1.0])


def test_importance_counts_and_one_value_has_a_place() -> None:
    column = read(["J44", "K35"], LUNG)
    once, twice = (Scaler([column], importance={"x": weight})([column]) for weight in (1.0, 2.0))
    assert squared(twice) == pytest.approx(2 * squared(once))
    alone = read(["J44", "J44"], LUNG)
    assert (Scaler([alone])([alone]) == 0.0).all()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_of_levels_is_read_in_the_encodings_of_tables(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "levels.csv"
    path.write_text("Köln;Rhein;West\nZürich;Limmat;Süd\n", encoding=encoding)
    assert as_hierarchy(path, "hierarchy") == (("Köln", "Rhein", "West"), ("Zürich", "Limmat", "Süd"))


def test_a_first_line_that_stands_alone_is_an_error_that_asks(tmp_path: Path) -> None:
    path, lines = tmp_path / "levels.csv", [";".join(row) for row in [*LUNG, ["K36", "K3", "K"]]]
    path.write_text("\n".join(["code;a;b", *lines]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="first line of which no cell stands in another one") as error:
        as_hierarchy(path, "the hierarchy of 'diagnosis'")
    assert "J44" not in str(error.value)
    for first in ("value;a;b", "diagnosis;a;b"):
        path.write_text("\n".join([first, *lines]) + "\n", encoding="utf-8")
        assert len(as_hierarchy(path, "the hierarchy of 'diagnosis'")) == 4
    path.write_text("\n".join([*lines, "X1;X;Y"]) + "\n", encoding="utf-8")
    assert len(as_hierarchy(path, "the hierarchy of 'diagnosis'")) == 5


@pytest.mark.parametrize("given", ["prefix:", "prefix:2,2", "prefix:0", "prefix:a"])
def test_prefixes_of_no_length_are_refused(given: str) -> None:
    with pytest.raises(OptionError, match="needed: prefix, prefix:2,3"):
        as_hierarchy(given, "hierarchy")


@pytest.mark.parametrize(("given", "idle"), [("prefix:5,9", 5), ("prefix:2,5", 5), ("prefix:2,9", 9)])
def test_prefixes_that_are_whole_codes_are_refused(given: str, idle: int) -> None:
    with pytest.raises(OptionError, match=f"longest code has 5 characters, so that {idle} has no effect"):
        tree_of("zip", given, ["80001", "80002", "811"])
    assert tree_of("zip", "prefix:2,4", ["80001", "80002", "811"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([dt.date(2020, 1, 1), dt.date(2021, 1, 1)], "has days as cuts"),
        ([[dt.date(2020, 1, 1), dt.date(2021, 1, 1)]], "has days as cuts"),
        ([[]], "is empty"),
        ([], "is empty"),
        ({}, "is empty"),
    ],
)
def test_cuts_that_are_none_are_called_so(given: object, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        as_hierarchy(given, "hierarchy")
