"""Every mutant can still be planted: its old text stands exactly once in its file, and the tests that it names exist."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mutants.planted import ROOT, Mutant, mutants


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_a_mutant_can_be_planted(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.file} has changed; plant {mutant.name} anew"
    assert mutant.new != mutant.old
    assert mutant.red
    for test in mutant.red:
        path, *names = test.split("::")
        assert (ROOT / path).exists(), test
        if names:
            assert f"{names[-1].split('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8"), test


def test_names_are_given_once() -> None:
    assert [name for name, number in Counter(mutant.name for mutant in mutants()).items() if number > 1] == []
