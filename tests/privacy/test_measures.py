"""The measures of pycanon against their definitions, written out."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covey import privacy
from covey.errors import InputError

RECORDS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=40)


def shares(records: list[tuple[int, int]]) -> tuple[dict[int, dict[int, float]], dict[int, float]]:
    """The share of each value in each class, and overall."""
    inside = {}
    for cell in {c for c, _ in records}:
        values = [v for c, v in records if c == cell]
        inside[cell] = {v: n / len(values) for v, n in Counter(values).items()}
    return inside, {v: n / len(records) for v, n in Counter(v for _, v in records).items()}


def counted(records: list[tuple[int, int]]) -> privacy.Counts:
    return privacy.count(np.array([c for c, _ in records]), np.array([v for _, v in records]))


@given(RECORDS)
def test_diversity(records: list[tuple[int, int]]) -> None:
    inside, _ = shares(records)
    counts = counted(records)
    assert privacy.alpha(counts) == pytest.approx(max(max(q.values()) for q in inside.values()))
    assert privacy.distinct_l(counts) == min(len(q) for q in inside.values())
    entropy = min(-sum(p * math.log(p) for p in q.values()) for q in inside.values())
    assert privacy.entropy_l(counts) == pytest.approx(math.exp(entropy))
    for least in (1, 2, 3):
        expected = 0.0
        for cell in inside:
            r = sorted(Counter(v for c, v in records if c == cell).values(), reverse=True)
            expected = max(expected, r[0] / sum(r[least - 1 :]) if len(r) >= least else math.inf)
        assert privacy.recursive_c(counts, least) == pytest.approx(expected)


@given(RECORDS)
def test_closeness(records: list[tuple[int, int]]) -> None:
    inside, overall = shares(records)
    values = sorted(overall)
    equal = max(sum(abs(q.get(v, 0) - overall[v]) for v in values) / 2 for q in inside.values())
    assert privacy.t_closeness_equal(counted(records)) == pytest.approx(equal)
    ordered = 0.0
    for q in inside.values():
        steps = itertools.accumulate(q.get(v, 0) - overall[v] for v in values)
        ordered = max(ordered, sum(map(abs, steps)) / max(1, len(values) - 1))
    assert privacy.t_closeness_ordered(counted(records)) == pytest.approx(ordered, abs=1e-12)


@given(RECORDS)
def test_disclosure(records: list[tuple[int, int]]) -> None:
    inside, p = shares(records)
    gains = [(max(0.0, (q - p[v]) / p[v]), -math.log(p[v])) for cell in inside.values() for v, q in cell.items()]
    assert privacy.beta_likeness(counted(records)) == pytest.approx(max(gain for gain, _ in gains))
    enhanced = max(math.inf if gain > limit + 1e-12 else gain for gain, limit in gains)
    assert privacy.enhanced_beta_likeness(counted(records)) == pytest.approx(enhanced)
    delta = max(abs(math.log(q / p[v])) for cell in inside.values() for v, q in cell.items())
    assert privacy.delta_disclosure(counted(records)) == pytest.approx(delta)


def test_the_example_of_the_paper_on_t_closeness() -> None:
    """Li, Li & Venkatasubramanian 2007: salaries 3k ... 11k; {3k, 4k, 5k} is 0.375 away, {6k, 8k, 11k} is 0.167."""
    salaries = [3, 4, 5, 6, 7, 8, 9, 10, 11]
    first = [0 if s in (3, 4, 5) else 1 for s in salaries]
    assert privacy.t_closeness_ordered(privacy.count(np.array(first), np.array(salaries))) == pytest.approx(0.375)
    second = [0 if s in (6, 8, 11) else 1 + (s > 7) for s in salaries]
    counts = privacy.count(np.array(second), np.array(salaries))
    alone = counts._replace(  # the one class, beside the whole table
        in_class=counts.in_class[:3], value=counts.value[:3], number=counts.number[:3], weight=counts.weight[:3]
    )
    assert privacy.t_closeness_ordered(alone) == pytest.approx(1 / 6, abs=1e-3)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=25),
    st.integers(1, 4),
)
def test_singled_out_together(records: list[tuple[int, int, int]], k: int) -> None:
    """Against the definition, record by record: both releases hold the same records, linked by the third value."""
    a, b, link = (np.array(part) for part in zip(*records, strict=True))
    found = privacy.singled_out_together(a, link, b, link, k)
    certainly = possibly = 0
    for i in range(len(a)):
        few = []
        for other in {int(b[j]) for j in range(len(b)) if link[j] == link[i]}:
            links = {int(link[j]) for j in range(len(b)) if b[j] == other}
            few.append(sum(a[j] == a[i] and int(link[j]) in links for j in range(len(a))) < k)
        certainly += all(few)
        possibly += any(few)
    assert (found.certainly, found.possibly, found.not_found) == (certainly, possibly, 0)


def test_records_of_which_the_other_release_knows_nothing() -> None:
    found = privacy.singled_out_together(np.array([0, 0]), np.array([1, 2]), np.array([0]), np.array([1]), 2)
    assert found == privacy.Together(1, 1, 1)


def test_too_few_links_are_an_error() -> None:
    cells, links = np.arange(8000), np.zeros(8000, dtype=np.int64)
    with pytest.raises(InputError, match="name it with --link"):
        privacy.singled_out_together(cells, links, cells, links, 2)
