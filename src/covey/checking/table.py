"""`covey.check`: what a dataframe or a file satisfies, whoever made it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from covey.checking.check import Asked, Checked, check_table, read_for
from covey.checking.special import SpecialAsked
from covey.recipe.values import as_k_for, as_names, as_share
from covey.utils.arrays import as_count
from covey.utils.frame import to_arrow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.utils.arrow import Table


def check(
    table: object,
    k: int,
    *,
    quasi: str | Sequence[str],
    sensitive: str | Sequence[str] = (),
    unit: str | None = None,
    linked: bool = False,
    l_diversity: float | Mapping[str, float] | None = None,
    entropy_l: float | None = None,
    recursive: str | None = None,
    t_closeness: float | Mapping[str, float] | None = None,
    alpha: float | str | None = None,
    beta: float | None = None,
    enhanced_beta: float | None = None,
    delta: float | None = None,
    distance: str = "auto",
    k_for: Mapping[int, int] | None = None,
    suda: bool = False,
    suda_columns: int | None = None,
    suda_fraction: float | None = None,
    against: object = None,
    link: str | Sequence[str] = (),
    header: bool | None = None,
) -> Checked:
    """Count the classes of any table and measure its sensitive columns, as `covey check` does with a file.

    Nothing is known of how the table was made, and nothing is changed. A missing value is a value of its own, as who sees the table sees it.

    Parameters
    ----------
    table
        A dataframe (pandas, polars, pyarrow), or the path or URL of a published file.
    k
        The least class that is asked for.
    quasi
        The columns that others may know.
    sensitive
        The columns to measure.
    unit
        Count different values of this column instead of rows.
    linked
        Whether others see which rows are of one unit: units are then counted by all of their rows.
    l_diversity, entropy_l, recursive, t_closeness, alpha, beta, enhanced_beta, delta
        What is required of the sensitive columns; what is None is measured and not required.
    distance
        Of t-closeness: ordered, equal, or auto: ordered for numbers, times and ordered categories.
    k_for
        The k that is asked of every so many quasi-identifiers together: `{3: 5}`. `k` is still asked of all together.
    suda, suda_columns, suda_fraction
        Whether to look for combinations of few columns that single records out; of how many columns; the share of the population in the table.
    against
        Another release of the same records, to count whom both single out together.
    link
        The columns that link the two.
    header
        Of text files: whether the first line names the columns.

    Returns
    -------
    Checked
        `passed`, and `lines` with each measure, what was asked and whether it holds; `to_text()` and `to_json()`.

    Raises
    ------
    InputError
        A column is missing, or the table has no rows.
    OptionError
        Something is asked that cannot be measured.

    Examples
    --------
    >>> import covey
    >>> patients = covey.datasets.load_patients()
    >>> print(covey.check(patients, k=5, quasi=["age", "sex", "region"]).to_text(), end="")
    3000 rows in 1076 classes
    k = 1 (asked: 5): FAILS
    records in classes below 5 = 1797
    >>> done = covey.release(patients, k=5, quasi=["age", "sex", "region"], drop_rest=True)
    >>> covey.check(done.table, k=5, quasi=["age", "sex", "region"]).passed
    True
    """
    special = None
    if suda:
        share = None if suda_fraction is None else as_share(suda_fraction, "suda_fraction")
        special = SpecialAsked(suda_columns, share)
    asked = Asked(
        k=as_count(k, "k"),
        quasi=as_names(quasi, "quasi"),
        unit=unit,
        sensitive=as_names(sensitive, "sensitive"),
        l_diversity=l_diversity,
        entropy_l=entropy_l,
        recursive=recursive,
        t_closeness=t_closeness,
        alpha=None if alpha is None else as_share(alpha, "alpha"),
        beta=beta,
        enhanced_beta=enhanced_beta,
        delta=delta,
        distance=distance,
        link=as_names(link, "link"),
        linked=linked,
        k_for=as_k_for({} if k_for is None else k_for, "k_for"),
        suda=special,
    )
    columns = [*asked.quasi, *asked.sensitive, *asked.link, *([unit] if unit else [])]
    other = None if against is None else _table(against, columns, header=header)
    return check_table(_table(table, columns, header=header), asked, against=other)


def _table(given: object, columns: Sequence[str], *, header: bool | None) -> Table:
    """A dataframe as Arrow, levels of its index that are named as columns; a file as whoever finds it reads it."""
    if isinstance(given, str | Path):
        return read_for(str(given), header=header)
    return to_arrow(given, columns)[0]
