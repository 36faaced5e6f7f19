"""Prosecutor, journalist, individual and marketer risk, and expected re-identifications, from class sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.cells import counts
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured
from covey.utils.extras import load

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Floats

IN_THE_RELEASE = "knows the released quasi-identifiers of a person, and that the person is in the release"
TERMS = 64
"""Of the series of `expected_inverse`: what is left out is below the rounding of the sum."""
FEW = 40
"""Classes of so many records and more have a series that is short, however few of their people were drawn."""


class Classes(NamedTuple):
    """The classes of a release: how many records (units) each has, people of the population, and the chance to be named."""

    size: Codes
    people: Floats
    chance: Floats
    """The expectation of one over the number of people, given the size."""


def classes_at_risk(evidence: Evidence) -> Classes:
    """Every class, its people estimated by the weights where they say how many people a record stands for."""
    size = counts(evidence.classes, evidence.units)
    people = size.astype(np.float64)
    if evidence.people is not None:  # a population is no smaller than its sample
        people = np.maximum(people, _people(evidence.classes, evidence.units, evidence.people))
    return Classes(size, people, expected_inverse(size, size / people))


def reidentification(evidence: Evidence) -> list[Measured]:
    """One over the class size, for the worst record, on average and in sum.

    Prosecutor: knows that the target is in the release. Journalist: knows only that the target is in the population, whose class
    sizes F are estimated by the sums of the weights; without weights the release is taken for the population. Individual risk: the
    same where F is not taken for known: a class of f records stands for F people, and F - f of them were not drawn, a negative
    binomial number where each is drawn with the chance f / F. Marketer: wants many records, any of them.

    Sources: El Emam & Dankar 2008; the names are those of ARX and sdcMicro; Benedetti & Franconi 1998 for F given f.
    """
    evidence = evidence.of_whom()
    classes = classes_at_risk(evidence)
    return [*_of_one(evidence, classes), *_of_many(evidence, classes)]


def _of_one(evidence: Evidence, classes: Classes) -> list[Measured]:
    """The chance to name a record of the worst class."""
    size, people, chance = classes
    drawn = "knows the released quasi-identifiers of a person, but not whether the person is in the release"
    return [
        Measured(
            Measure.PROSECUTOR_RISK,
            float(1.0 / size.min()),
            "The chance to name the right record (unit) of the smallest class: one over the k that was achieved.",
            IN_THE_RELEASE,
            pooled="largest",
        ),
        Measured(
            Measure.JOURNALIST_RISK,
            float((1.0 / people).max()),
            f"The largest chance to name the right person among those of the population who look alike; class sizes are {_estimated(evidence)}.",
            drawn,
            interval=None if evidence.people is None else _interval(classes),
            pooled="largest",
        ),
        Measured(
            Measure.INDIVIDUAL_RISK,
            float(chance.max()),
            "The largest chance to name the right person where it is not known how many people of the population look alike: the expected value of one over that number.",
            drawn,
            pooled="largest",
        ),
    ]


def _of_many(evidence: Evidence, classes: Classes) -> list[Measured]:
    """How many records are named rightly by whoever wants many, any of them."""
    chance = classes.chance
    everyone = "knows the released quasi-identifiers of everyone and wants to name as many records as possible"
    named, among = _named(evidence)
    return [
        Measured(
            Measure.MARKETER_RISK,
            float(chance[evidence.classes].mean()),
            f"The share of all records {named} by guessing {among} their classes, whose sizes are {_estimated(evidence)}.",
            everyone,
        ),
        Measured(
            Measure.REIDENTIFICATIONS,
            float((counts(evidence.classes, None) * chance).sum()),
            f"The number of records {named} if someone knew everyone's released values and guessed {among} their classes.",
            everyone,
            pooled="sum",
        ),
    ]


def _named(evidence: Evidence) -> tuple[str, str]:
    """What is said of the records that are counted: they are named or, where there are units, their unit is; and among what one guesses."""
    if evidence.units is None:
        return "that would be named rightly", "within"
    return "whose unit would be named rightly (each record of a unit counts)", "among the units of"


def _estimated(evidence: Evidence) -> str:
    """Where the sizes of classes in the population come from."""
    if evidence.people is not None:
        return "estimated by the weights"
    why = ", since the weights have a mean near 1 or below and do not say how many people a record stands for"
    return "taken to be those of the release" + ("" if evidence.weights is None else why)


def small_classes(evidence: Evidence) -> list[Measured]:
    """How many records are in classes below 2, 3, 5 and k."""
    evidence = evidence.of_whom()
    size = counts(evidence.classes, evidence.units)[evidence.classes]
    what = "records" if evidence.units is None else "units"
    return [
        Measured(
            Measure.RECORDS_BELOW,
            float((size < least).sum()),
            f"The number of records in classes of fewer than {least} {what}.",
            IN_THE_RELEASE,
            pooled="sum",
            limit=least,
        )
        for least in sorted({2, 3, 5, evidence.k})
    ]


def expected_inverse(size: Codes, drawn: Floats) -> Floats:
    """The expectation of 1 / F where F - f is negative binomial: F people until f are drawn, each with the chance p.

    It is p^f / f 2F1(f, f; f + 1; 1 - p), by Euler's transformation p / f 2F1(1, 1; f + 1; 1 - p): a series of positive terms,
    short where p is at least one half or f is large. Elsewhere upwards from f = 1, by E(f + 1) = p / (1 - p) (1 / f - E(f)),
    where errors do not grow. All digits but the last few, for any f and p.
    """
    size, drawn = np.broadcast_arrays(size, np.clip(drawn, 0.0, 1.0))
    term = np.ones(size.shape)
    total = term.copy()
    for step in range(1, TERMS):
        term = term * (1.0 - drawn) * step / (size + step)
        total += term
    expected = np.asarray(drawn / size * total)
    slow = (drawn < 0.5) & (size < FEW)
    f, p = size[slow], drawn[slow]
    upwards = -p * np.log(p) / (1.0 - p)
    for step in range(1, int(f.max(initial=1))):
        upwards = np.where(step < f, p / (1.0 - p) * (1.0 / step - upwards), upwards)
    expected[slow] = upwards
    return expected


def _people(classes: Codes, units: Codes | None, weights: Floats) -> Floats:
    """The sum of the weights of every class; of a unit the mean weight of its rows there."""
    if units is None:
        return np.asarray(np.bincount(classes, weights=weights), dtype=np.float64)
    width = int(units.max()) + 1
    pairs, place = np.unique(classes * width + units, return_inverse=True)
    mean = np.bincount(place, weights=weights) / np.bincount(place)
    return np.asarray(np.bincount(pairs // width, weights=mean), dtype=np.float64)


def _interval(classes: Classes) -> tuple[float, float]:
    """Where one over the number of people of the class that is riskiest lies, in 95 of 100 samples."""
    riskiest = int(classes.people.argmin())
    sampled, estimated = int(classes.size[riskiest]), float(classes.people[riskiest])
    if estimated <= sampled:
        return 1.0 / sampled, 1.0 / sampled
    unseen = load("scipy.stats").nbinom(sampled, sampled / estimated)
    low, high = (sampled + float(unseen.ppf(share)) for share in (0.025, 0.975))
    return 1.0 / high, 1.0 / low
