"""What a published table satisfies beside k-anonymity: measures over classes (numbers of records) and a sensitive column.

All take `classes` and `values`, one whole number a record: records of the same class share all quasi-identifiers. A missing
value is a value like any other here; who counts l leaves it out before, and `t_closeness` looks at both. They are the measures of pycanon; where that differs, the docstring says so.
"""

from covey.privacy.closeness import t_closeness, t_closeness_equal, t_closeness_ordered
from covey.privacy.counts import Counts, count
from covey.privacy.disclosure import beta_likeness, delta_disclosure, enhanced_beta_likeness
from covey.privacy.diversity import alpha, distinct_l, entropy_l, least_different, recursive_c
from covey.privacy.together import Together, singled_out_together

__all__ = [
    "Counts",
    "Together",
    "alpha",
    "beta_likeness",
    "count",
    "delta_disclosure",
    "distinct_l",
    "enhanced_beta_likeness",
    "entropy_l",
    "least_different",
    "recursive_c",
    "singled_out_together",
    "t_closeness",
    "t_closeness_equal",
    "t_closeness_ordered",
]
