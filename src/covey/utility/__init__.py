"""What an analyst loses."""

from covey.utility.columns import ColumnSummary, column_summaries
from covey.utility.correlations import correlations, eigenvalues
from covey.utility.generalisation import generalisation
from covey.utility.information_loss import column_losses, il1s, information_loss
from covey.utility.marginals import marginals
from covey.utility.propensity import propensity
from covey.utility.regression import regression, terms
from covey.utility.strata import by_stratum, worst
from covey.utility.totals import totals
from covey.utility.units import units

MEASURES = (
    information_loss,
    column_losses,
    generalisation,
    units,
    il1s,
    marginals,
    correlations,
    eigenvalues,
    totals,
    propensity,
)

__all__ = [
    "MEASURES",
    "ColumnSummary",
    "by_stratum",
    "column_losses",
    "column_summaries",
    "correlations",
    "eigenvalues",
    "generalisation",
    "il1s",
    "information_loss",
    "marginals",
    "propensity",
    "regression",
    "terms",
    "totals",
    "units",
    "worst",
]
