"""Which combinations of few columns single records out, as lines of a check and as a file of records."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from covey.checking.line import Line
from covey.errors import OptionError
from covey.risk.uniques import SpecialUniques, special_uniques

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.utils.typing import Codes


@dataclass(frozen=True)
class SpecialAsked:
    """What is asked of special uniques.

    Attributes
    ----------
    largest
        The most columns that a combination has; by default as many as are looked at in seconds.
    fraction
        The share of the population that is in the table, where that is known.
    """

    largest: int | None = None
    fraction: float | None = None


@dataclass(frozen=True)
class Special:
    """The special uniques of a table, with the names of its columns."""

    names: Sequence[str]
    uniques: SpecialUniques

    @classmethod
    def of(cls, columns: dict[str, Codes], asked: SpecialAsked) -> Special:
        """Search the columns, as numbered values."""
        return cls(list(columns), special_uniques(list(columns.values()), asked.largest))

    def lines(self, asked: SpecialAsked) -> list[Line]:
        """How many records are singled out, by how many columns, which columns do it, and the chance that a match is right."""
        uniques = self.uniques
        by = f"at most {uniques.largest} columns" if uniques.largest > 1 else "one column"
        lines = [Line(f"records singled out by {by}", uniques.singled_out)]
        for size in range(1, uniques.largest + 1):
            what = "1 column" if size == 1 else f"{size} columns"
            lines.append(Line(f"special uniques of {what}", int((uniques.sizes == size).sum())))
        parts = uniques.contributions
        largest_first = np.argsort(-parts, kind="stable")
        lines += [Line(f"part of {self.names[j]} in special uniques", float(parts[j])) for j in largest_first]
        if asked.fraction is not None:
            chance = uniques.disclosure(asked.fraction)
            lines.append(Line("chance that a person who matches a unique record is the one in it (DIS)", chance))
        return lines

    def to_csv(self) -> str:
        """A line for each record that is singled out, by its row from 1: its score, its special uniques, and the columns of the smallest."""
        lines = StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["row", "score", "special_uniques", "columns"])
        uniques, scores = self.uniques, self.uniques.scores
        order = np.lexsort((uniques.combination, uniques.sizes, uniques.record))
        rows, first, number = np.unique(uniques.record[order], return_index=True, return_counts=True)
        for row, at, count in zip(rows.tolist(), order[first].tolist(), number.tolist(), strict=True):
            combination = int(uniques.combination[at])
            named = " ".join(name for j, name in enumerate(self.names) if combination >> j & 1)
            writer.writerow([row + 1, f"{scores[row]:.12g}", count, named])
        return lines.getvalue()


def check_special(asked: SpecialAsked | None, quasi: Sequence[str]) -> None:
    """Refuse what cannot be looked at, before anything is read."""
    if asked is None or asked.largest is None or 1 <= asked.largest <= len(quasi):
        return
    raise OptionError(f"--suda-columns is {asked.largest}; needed: 1 to {len(quasi)}, the number of quasi-identifiers")
