"""Prosecutor, journalist and marketer risk, from class sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.cells import counts
from covey.evidence import Evidence, Measured
from covey.extras import load

if TYPE_CHECKING:
    from numpy.typing import NDArray


def reidentification(evidence: Evidence) -> list[Measured]:
    """One over the class size, for the worst record and on average.

    Prosecutor: knows that the target is in the release. Journalist: knows only that the target is in the population, whose class
    sizes are estimated by the sums of the weights; without weights the release is taken for the population. Marketer: wants many
    records, any of them.

    The interval of the journalist's: a class of f records stands for F people, and F - f of them were not drawn, a negative
    binomial number where each is drawn with the chance f / F.

    Sources: El Emam & Dankar 2008; the names are those of ARX and sdcMicro; Benedetti & Franconi 1998 for F given f.
    """
    size = counts(evidence.classes, evidence.units)
    people = size.astype(np.float64)
    if evidence.weights is not None:  # a population is no smaller than its sample
        people = np.maximum(people, _people(evidence.classes, evidence.units, evidence.weights))
    estimated = "estimated by the weights" if evidence.weights is not None else "taken to be those of the release"
    return [
        Measured(
            "prosecutor risk",
            float(1.0 / size.min()),
            "lower",
            "The chance to name the right record (unit) of the smallest class: one over the k that was achieved.",
            "knows the released quasi-identifiers of a person, and that the person is in the release",
        ),
        Measured(
            "journalist risk",
            float((1.0 / np.maximum(people, 1.0)).max()),
            "lower",
            f"The same among the people of the population who look alike; class sizes are {estimated}.",
            "knows the released quasi-identifiers of a person, but not whether the person is in the release",
            interval=None if evidence.weights is None else _interval(size, people),
            public=evidence.weights is None or evidence.released_weights is not None,
        ),
        Measured(
            "marketer risk",
            float((1.0 / size)[evidence.classes].mean()),
            "lower",
            "The share of all records that would be named rightly by guessing within their classes.",
            "knows the released quasi-identifiers of everyone and wants to name as many records as possible",
        ),
    ]


def _people(
    classes: NDArray[np.int64], units: NDArray[np.int64] | None, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sum of the weights of every class; of a unit the mean weight of its rows there."""
    if units is None:
        return np.asarray(np.bincount(classes, weights=weights), dtype=np.float64)
    width = int(units.max()) + 1
    pairs, place = np.unique(classes * width + units, return_inverse=True)
    mean = np.bincount(place, weights=weights) / np.bincount(place)
    return np.asarray(np.bincount(pairs // width, weights=mean), dtype=np.float64)


def _interval(size: NDArray[np.int64], people: NDArray[np.float64]) -> tuple[float, float]:
    """Where one over the number of people of the class that is riskiest lies, in 95 of 100 samples."""
    riskiest = int(people.argmin())
    sampled, estimated = int(size[riskiest]), float(people[riskiest])
    if estimated <= sampled:
        return 1.0 / sampled, 1.0 / sampled
    unseen = load("scipy.stats").nbinom(sampled, sampled / estimated)
    low, high = (sampled + float(unseen.ppf(share)) for share in (0.025, 0.975))
    return 1.0 / high, 1.0 / low
