"""Tables made to be miscounted, through every engine that takes them: the written text holds what the certificate says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

import covey
from tests.coarse import coarse
from tests.contract.hostile import KINDS, SPELLINGS, Asked, K, hostile, shortfall

if TYPE_CHECKING:
    from pathlib import Path

TABLES = hostile()
ALL = os.environ.get("COVEY_CONTRACT") == "all"
READ = [
    (name, kind)
    for place, name in enumerate(TABLES)
    for turn, kind in enumerate(KINDS)
    if ALL or (place + turn) % 2 == 0
]
"""Each table in every second kind; make contract: in all of them."""


def reached(certificate: Any) -> list[float]:
    return [one["worst_class"] for one in certificate.public["requirements"]]


def through_memory(asked: Asked, given: Any, folder: Path) -> str:
    done = covey.release(given, K, **asked.choices)
    done.write(folder / "out.csv", ledger=False)
    return shortfall(folder / "out.csv", asked, done.certificate.k, reached(done.certificate))


def through_file(asked: Asked, given: Any, folder: Path) -> str:
    done = covey.release_file(given, folder / "out.csv", K, ledger=False, **asked.choices)
    return shortfall(folder / "out.csv", asked, done.certificate.k, reached(done.certificate))


@pytest.mark.parametrize(("name", "kind"), READ)
def test_the_written_text_holds_what_is_certified_in_memory(name: str, kind: str, tmp_path: Path) -> None:
    asked = TABLES[name]
    assert through_memory(asked, KINDS[kind](asked.columns, tmp_path), tmp_path) == ""


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("name", TABLES)
def test_the_written_text_holds_what_is_certified_from_file(name: str, kind: str, tmp_path: Path) -> None:
    asked = TABLES[name]
    assert through_file(asked, KINDS[kind](asked.columns, tmp_path), tmp_path) == ""


def test_the_coarsest_reading() -> None:
    for name, ways in SPELLINGS.items():
        for unit in range(12):
            assert len({coarse(way(unit)) for way in ways}) == 1, name
    assert coarse("7") != coarse("8")
    assert coarse("  ") == coarse("") == ""
    assert coarse("10000000000000001") != coarse("10000000000000002")
