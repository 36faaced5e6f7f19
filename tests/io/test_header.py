"""Files whose first line is a record already."""

from __future__ import annotations

import pytest

from covey.errors import InputError
from covey.io.header import check_names, like_values


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (["age", "sex", "income 2020", "q1", "x.5", "v2", "3rd"], 0),
        (["anna", "34", "f"], 1),
        (["1", "2"], 2),
        (["0", "1", "2"], 3),
        (["0", "1", "2", "3"], 0),
        (["1", "2", "4", "3"], 4),
        (["firm", "2019", "2020", "2021"], 0),
        (["firm", "2019", "2021"], 2),
        (["2019", "2020"], 2),
        ([" 3,5 ", "1.234,50", "-7", ".5", "1e5"], 5),
        (["1990-01-02", "2.3.1999", "03/04/1980", "12:30", "2020-01-01 10:00"], 5),
        (["NA", "true", "anna@example.org", "."], 4),
    ],
)
def test_names_that_look_like_values(names: list[str], number: int) -> None:
    assert like_values(names) == number


def test_the_error_quotes_nothing() -> None:
    with pytest.raises(InputError, match=r"--no-header") as error:
        check_names("people.csv", ["Anna", "Zurich", "4711"])
    assert not any(word in str(error.value) for word in ("Anna", "Zurich", "4711"))
