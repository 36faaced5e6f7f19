"""Attribute disclosure: what the members of a class share."""

from __future__ import annotations

import numpy as np

from covey.core.measure import Measure
from covey.evidence import Evidence, Measured
from covey.privacy import count

ATTACKER = "has found the class of a person and asks for the sensitive value, not for the record"


def attribute_disclosure(evidence: Evidence) -> list[Measured]:
    """How often all records of a class share the sensitive value, and how often guessing the most frequent one is right."""
    if evidence.tables:
        return [found for one in evidence.sensitive_of_each_table() for found in attribute_disclosure(one)]
    measured = []
    for name, values in evidence.sensitive.items():
        counts = count(evidence.classes, values)
        largest = np.maximum.reduceat(counts.number, counts.start)
        alone = counts.size[largest == counts.size].sum() / evidence.rows
        usual = float(counts.overall.max())
        text = "The share of records in classes where all have the same value: k-anonymity does not hide it."
        measured.append(Measured(Measure.HOMOGENEOUS_CLASSES, float(alone), text, ATTACKER, name))
        guess = f"The share of records whose value is guessed right from the most frequent one of their class; without the release, guessing is right for {100 * usual:.3g} %."
        measured.append(Measured(Measure.ATTRIBUTE_GUESS, float(largest.sum() / evidence.rows), guess, ATTACKER, name))
    return measured
