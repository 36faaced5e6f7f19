"""What an analyst loses."""

from covey.utility.correlations import correlations, eigenvalues
from covey.utility.information_loss import il1s, information_loss
from covey.utility.marginals import marginals
from covey.utility.propensity import propensity
from covey.utility.regression import regression
from covey.utility.strata import by_stratum
from covey.utility.totals import totals

MEASURES = (information_loss, il1s, marginals, correlations, eigenvalues, totals, by_stratum, propensity)

__all__ = [
    "MEASURES",
    "by_stratum",
    "correlations",
    "eigenvalues",
    "il1s",
    "information_loss",
    "marginals",
    "propensity",
    "regression",
    "totals",
]
