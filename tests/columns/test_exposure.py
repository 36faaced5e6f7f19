"""Kept columns that undo the grouping, one by one, in pairs and together: against the definition, record by record."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey import Recipe
from covey.columns.exposure import FEW, JUDGED, NEAR, SHUFFLES, Exposure, exposures, given_away, sets_of
from covey.columns.values import Values, read_values
from covey.errors import InputError, OptionError
from tests.files.tables import released, small

if TYPE_CHECKING:
    from pathlib import Path

RNG = np.random.default_rng(5)


def slow_right(classes: list[int], values: list[Any], *, number: bool) -> list[bool]:
    """Of which records more of the others of the class have the value than any other one: the definition."""
    step = NEAR * float(np.std(values)) if number else 0.0
    if number:
        values = [int((value - min(values)) // step) if step else 0 for value in values]
    found = []
    for i, (mine, value) in enumerate(zip(classes, values, strict=True)):
        others = Counter(values[j] for j, theirs in enumerate(classes) if theirs == mine and j != i)
        right = others.pop(value, 0)
        found.append(right > max(others.values(), default=0))
    return found


def slow_given_away(classes: list[int], values: list[Any], *, number: bool) -> float:
    right = slow_right(classes, values, number=number)
    if len({mine for mine, is_right in zip(classes, right, strict=True) if is_right}) < 2:
        return 0.0
    random = np.random.RandomState(0)
    orders = [random.permutation(len(values)) for _ in range(SHUFFLES)]
    chance = max(float(np.mean(slow_right(classes, [values[i] for i in o], number=number))) for o in orders)
    return max(0.0, float(np.mean(right)) - chance) / (1 - chance) if chance < 1 else 0.0


@pytest.mark.parametrize("kind", ["number", "text"])
def test_what_is_given_away_against_the_definition(kind: str) -> None:
    for labels in itertools.product([0, 1, 2], repeat=5):
        for values in ([1, 1, 2, 2, 9], [1, 2, 1, 2, 1], [5, 5, 5, 5, 5]):
            given: list[Any] = list(values) if kind == "number" else [f"v{value}" for value in values]
            codes = np.unique(labels, return_inverse=True)[1]
            found = given_away(codes, read_values("q", pa.array(given)))
            assert found == pytest.approx(slow_given_away(codes.tolist(), given, number=kind == "number"))


@pytest.mark.parametrize("seed", range(6))
def test_larger_columns_against_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 25, 160)
    for values in (codes // 3 + rng.integers(0, 2, 160), rng.lognormal(3, 1, 160), rng.normal(codes, 0.3)):
        found = given_away(codes, read_values("q", pa.array(values)))
        assert found == pytest.approx(slow_given_away(codes.tolist(), values.tolist(), number=True))


def kept(**columns: Any) -> dict[str, Values]:
    return {name: read_values(name, pa.array(values)) for name, values in columns.items()}


def test_what_is_singled_out_against_the_definition() -> None:
    a, b, c = RNG.integers(0, 9, (3, 300))
    found = exposures(kept(a=a, b=b, c=c), [], Recipe(k=3, note_exposed=1e-9))
    share = {one.columns: one.share for one in found}
    for names in sets_of(["a", "b", "c"]):
        rows = list(zip(*({"a": a, "b": b, "c": c}[name].tolist() for name in names), strict=True))
        number = Counter(rows)
        expected = sum(number[row] < min(3, FEW) for row in rows) / 300
        assert share.get(names, 0.0) == pytest.approx(expected) or expected < 0.5


def ages(n: int = 1500) -> Any:
    return np.random.default_rng(1).integers(18, 90, n)


def people(**more: Any) -> pa.Table:
    age = ages()
    return pa.table({"age": age, "charge": np.random.default_rng(2).normal(100, 30, len(age)).round(), **more})


def chosen(**more: Any) -> dict[str, Any]:
    return {"k": 3, "quasi": ["age", "charge"], **more}


REMAINDERS = {"eighths": ages() % 8, "ninths": ages() % 9}


def test_two_columns_that_give_an_age_back_together() -> None:
    table = people(**REMAINDERS)
    with pytest.raises(
        InputError, match=r"eighths, ninths \(determine the quasi-identifier age of 100%.*--accept eighths,ninths"
    ):
        covey.release(table, **chosen(keep=["eighths", "ninths"]))
    for one in REMAINDERS:
        assert covey.release(table, **chosen(keep=[one], drop_rest=True)).certificate.k >= 3
    done = covey.release(table, **chosen(keep=["eighths", "ninths"], accept=["ninths", "eighths"]))
    assert any(
        "columns 'eighths', 'ninths' are published as they are although they determine" in str(n)
        for n in done.report.notes
    )
    with pytest.raises(InputError, match="eighths, ninths"):
        covey.release(table, **chosen(keep=["eighths", "ninths"], accept=["eighths"]))


def test_three_columns_that_do_so_only_together() -> None:
    table = people(a=ages() % 4, b=ages() % 5, c=ages() % 7)
    with pytest.raises(InputError, match=r"a, b, c \(determine the quasi-identifier age"):
        covey.release(table, **chosen(keep=["a", "b", "c"]))


@pytest.mark.parametrize(("share", "what"), [(0.89, "refused"), (0.3, "noted"), (0.0, "nothing")])
def test_a_column_that_is_right_often_enough(share: float, what: str) -> None:
    rng = np.random.default_rng(7)
    wrong = rng.random(1500) >= share
    table = people(seen=np.where(wrong, rng.integers(18, 90, 1500), ages()))
    if what == "refused":
        with pytest.raises(InputError, match=r"seen \(determines the quasi-identifier age of 8\d%"):
            covey.release(table, **chosen(keep=["seen"]))
    else:
        notes = covey.release(table, **chosen(keep=["seen"], refuse_exposed=0.99, note_exposed=0.05)).report.notes
        assert any("'seen' is published" in str(note) for note in notes) == (what == "noted")


def test_unrelated_columns_are_not_noted() -> None:
    rng = np.random.default_rng(8)
    table = people(
        sex=rng.choice(["f", "m"], 1500), ward=rng.choice(list("abcde"), 1500), shoe=rng.integers(34, 46, 1500)
    )
    done = covey.release(table, k=3, quasi=["age", "charge", "sex"], keep=["ward", "shoe"])
    assert not any("published as" in str(note) for note in done.report.notes)


def test_one_repeated_pair_is_no_evidence() -> None:
    values = kept(x=[7, 7, 2, 9, 1, 5])
    age = read_values("age", pa.array([30, 30, 41, 52, 63, 74]))
    assert not any(one.quasi for one in exposures(values, [age], Recipe(k=2, note_exposed=1e-9)))
    assert any(
        one.quasi
        for one in exposures(
            kept(x=[7, 7, 2, 2, 9, 1]), [read_values("age", pa.array([30, 30, 40, 40, 50, 66]))], Recipe(k=2)
        )
    )


def remarks(n: int = 1500) -> list[str]:
    words = ["patient", "came", "back", "with", "severe", "pain", "after", "lunch", "and", "left"]
    rng = np.random.default_rng(9)
    return [" ".join(rng.choice(words, 2 if i % 3 else 6)) + " again and again" for i in range(n)]


def test_free_text_is_refused_unless_accepted(tmp_path: Path) -> None:
    table = people(remark=remarks(), title=["a title of several words which all records share"] * 1500)
    for make in (lambda **c: covey.release(table, **c), lambda **c: released(table, tmp_path, **c)):
        with pytest.raises(InputError, match=r"remark \(is free text.*--accept remark"):
            make(**chosen(keep=["remark", "title"]))
        make(**chosen(keep=["remark", "title"], accept=["remark"]))


@pytest.mark.parametrize("sample", [2**18, 300])
def test_files_are_judged_alike(sample: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, rows=900, sample=sample)
    table = people(**REMAINDERS, code=np.arange(1500) // 2)
    with pytest.raises(InputError, match=r"eighths, ninths \(determine the quasi-identifier age"):
        released(table, tmp_path, **chosen(keep=["eighths", "ninths"], drop_rest=True))
    with pytest.raises(InputError, match=r"code \(is nearly unique"):
        released(table, tmp_path, **chosen(keep=["code"], drop_rest=True))
    done, _ = released(table, tmp_path, **chosen(keep=["eighths"], drop_rest=True))
    assert any("were judged by rows drawn" in str(note) for note in done.report.notes) == (sample < 1500)


@pytest.mark.parametrize("sample", [None, 2**18, 300])
def test_units_are_counted_where_they_count(
    sample: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six rows a person share the person's address: a value of six records, and of one person. In memory, and from file to file."""
    if sample is not None:
        small(monkeypatch, rows=900, sample=sample)
    person = np.arange(1500) // 6
    table = people(person=[f"p{i}" for i in person], mail=[f"m{i}@x" for i in person], ward=person % 4)
    visits = chosen(quasi=["age"], unit="person", random_ids=["person"], drop_rest=True)

    def make(**more: Any) -> object:
        return covey.release(table, **visits | more) if sample is None else released(table, tmp_path, **visits | more)

    with pytest.raises(
        InputError, match=r"mail \(is nearly unique: 100% of its values are shared by fewer than \d units"
    ):
        make(keep=["mail", "ward"])
    make(keep=["ward"])
    make(keep=["mail"], accept=["mail"])


def test_large_tables_are_judged_by_some_classes() -> None:
    rows = 2 * JUDGED
    age = np.random.default_rng(3).integers(0, 72, rows)
    found = exposures(kept(a=age % 8, b=age % 9), [read_values("age", pa.array(age))], Recipe(k=3))
    assert found == [Exposure(("a", "b"), found[0].share, "age")]
    assert found[0].share == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("choice", [{"refuse_exposed": 0.0}, {"refuse_exposed": 1.5}, {"note_exposed": 0.7}])
def test_shares_are_shares(choice: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="_exposed is"):
        Recipe(k=3, **choice)  # type: ignore[arg-type]
