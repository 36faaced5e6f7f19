"""What the page says of columns, against counting by hand; suggestions of roles."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from covey.columns.codes import words_of
from covey.columns.profile import BARS, Column, profile
from covey.columns.suggest import suggest
from covey.datasets import load_patients


def by_hand(values: list[Any]) -> tuple[int, int]:
    """How many values differ, and how many are missing: the definition."""
    known = [value for value in values if value is not None and value != "" and value == value]  # noqa: PLR0124
    return len(Counter(known)), len(values) - len(known)


TABLE: dict[str, tuple[str, list[Any]]] = {
    "whole": ("whole numbers", [3, 1, None, 3]),
    "float": ("numbers", [0.5, float("nan"), None, -0.0]),
    "text": ("text", ["a", "", None, "a"]),
    "truth": ("true or false", [True, False, None, True]),
    "date": ("dates", [dt.date(2024, 1, 1), None, dt.date(2024, 1, 1), dt.date(1969, 1, 1)]),
    "time": ("times", [dt.datetime(2024, 1, 1, 5), None, None, dt.datetime(1900, 1, 1)]),
    "nothing": ("text", [None, None, None, None]),
}


@pytest.mark.parametrize("name", TABLE)
def test_columns_are_counted(name: str) -> None:
    kind, values = TABLE[name]
    [column] = profile(pa.table({name: pa.array(values, from_pandas=False)}))
    assert (column.type, column.rows) == (kind, len(values))
    assert (column.distinct, column.missing) == by_hand(values)


def test_all_columns_of_the_bundled_table() -> None:
    table = load_patients("pyarrow")
    for column in profile(table):
        assert (column.distinct, column.missing) == by_hand(table[column.name].to_pylist())
        assert 0 < len(column.bars) <= BARS
        assert max(column.bars) == 1.0


def test_bars_are_bins_of_numbers_and_commonest_values_of_others() -> None:
    values = np.repeat(np.arange(32), 2).tolist()
    words_ = ["a"] * 4 + ["b"] * 2 + ["c"]
    numbers, dates, texts, far = (
        profile(pa.table({"x": pa.array(given)}))[0].bars
        for given in (
            values,
            [dt.date(2024, 1, 1) + dt.timedelta(days=day) for day in values],
            words_,
            [*range(40), 1e300, -1e300, float("inf")],
        )
    )
    assert numbers == dates == (1.0,) * BARS
    assert texts == (1.0, 0.5, 0.25)
    assert len(far) <= BARS


ROLES = {
    "patient_id": (("whole numbers", 500, 500), "drop"),
    "surname": (("text", 400, 500), "drop"),
    "note": (("text", 499, 500), "drop"),
    "number": (("whole numbers", 500, 500), "drop"),
    "empty": (("text", 0, 0), "drop"),
    "country": (("text", 1, 500), "keep"),
    "hiv": (("text", 1, 12), "sensitive"),
    "member": (("text", 1, 12), "quasi"),
    "vote": (("text", 1, 500), "sensitive"),
    "visits": (("nested", 0, 500), "drop"),
    "birthDate": (("dates", 300, 500), "quasi"),
    "seen": (("times", 300, 500), "quasi"),
    "amount": (("numbers", 300, 500), "quasi"),
    "colour": (("text", 5, 500), "quasi"),
    "Diagnosis (ICD)": (("text", 40, 500), "sensitive"),
    "survey_weight": (("numbers", 80, 500), "weight"),
    "weight": (("numbers", 80, 500), "quasi"),
}


@pytest.mark.parametrize("name", ROLES)
def test_suggestions(name: str) -> None:
    (kind, distinct, known), role = ROLES[name]
    found = suggest([Column(name, kind, 500, distinct, 500 - known, ())])[name]
    assert found.role == role
    assert found.reason


LANGUAGES = {
    "drop": "Nachname Vorname Straße Telefonnummer Geburtsname nom prénom adresse apellidos Nombre teléfono dirección",
    "sensitive": "Diagnose Religion Konfession Behinderung maladie diagnostic santé enfermedad diagnóstico afiliación_sindicato",
    "quasi": "Alter Geschlecht Geburtsdatum PLZ Familienstand Beruf Größe âge sexe commune code_postal métier edad género municipio año_nacimiento",
}


@pytest.mark.parametrize("role", LANGUAGES)
def test_names_of_common_columns_are_known_in_german_french_and_spanish(role: str) -> None:
    """Of text that many records share, so that only the name can tell; the reason says that it did."""
    for name in LANGUAGES[role].split():
        suggestion = suggest([Column(name, "text", 500, 80, 0, ())])[name]
        assert (suggestion.role, "its name" in suggestion.reason) == (role, True), name
    numbers = [Column(name, "whole numbers", 500, 7, 0, ()) for name in ("nombre_enfants", "Patientennummer")]
    assert [one.role for one in suggest(numbers).values()] == ["quasi", "unit"]


def test_an_identifier_that_repeats_is_a_unit_and_one_only() -> None:
    columns = [
        Column("patient_id", "text", 500, 200, 0, ()),
        Column("ward_id", "text", 500, 10, 0, ()),
        Column("row_id", "text", 500, 500, 0, ()),
    ]
    assert [one.role for one in suggest(columns).values()] == ["unit", "drop", "drop"]


def test_a_name_is_known_by_whole_words() -> None:
    assert set(words_of("sexOffence-AGE_2")) == {"sex", "offence", "age"}
    assert suggest([Column("wages", "text", 9, 3, 0, ())])["wages"].reason.startswith("others may know it")
