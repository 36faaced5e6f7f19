"""The pieces of a distributed table: split by a sample, on a line moved to anchors, merged where they fall short."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.line import anchor
from covey.parts.line import line_keys
from covey.parts.pieces import Pieces, cut_cells, line_cuts, split_cells
from covey.parts.ties import LineCuts, tied_cuts, with_values
from covey.recount.readings import Units
from covey.spark.content import numbered, to_deal
from covey.spark.refine import PIECE
from covey.spark.shipping import collect, map_batches, map_groups
from covey.spark.sql import types
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame

    from covey.columns.purpose import Purpose
    from covey.parts.plan import Plan
    from covey.utils.typing import Codes, Flags, Floats, Numbers


def make_pieces(hashed: DataFrame, plan: Plan, sample: Table, most: int) -> Pieces:
    """Pieces of about `most` rows, or half as many, in parts of about as many. The driver gets one row for each piece.

    On a line the pieces begin at anchors, so that grouping them one by one groups the whole exactly.
    """
    secret = str(plan.recipe.entropy)
    if plan.is_line:
        pieces, rows = _line_pieces(hashed, plan, sample, max(most, 64 * plan.recipe.k**2))
        return pieces.packed(rows, most, secret, sure=True)
    pieces = split_cells(plan, sample, most)
    if pieces.splits and (plan.recipe.roles.unit is not None or plan.asked):
        pieces, rows = _merged(hashed, plan, pieces)
        return pieces.packed(rows, most, secret, sure=True)
    # Each holds k rows of the sample, unless rows were dealt out by chance.
    return pieces.packed(pieces.expected(plan.settled_cells.sizes()), most, secret, sure=not pieces.deal)


# -- a line


class Range(NamedTuple):
    """What was found of the rows between two cuts: their number, and where a piece begins among them."""

    rows: int
    cut: float | None
    before: int


class Seen(NamedTuple):
    """What was found of a cell: of the ranges between its cuts, and of the shares of values that are dealt out."""

    ranges: list[Range]
    shares: list[int]


def _line_pieces(hashed: DataFrame, plan: Plan, sample: Table, most: int) -> tuple[Pieces, dict[int, int]]:
    """Pieces between anchors, and inside values that fill several of them. One round, narrow rows; none where cells are small."""
    split = split_cells(plan, sample, most)
    if not split.splits:
        return split, split.expected(plan.settled_cells.sizes())
    ready = plan.located(sample)
    cell, places = plan.cells_of(ready, sample.num_rows)[1], plan.points(ready.columns)[:, 0]
    sizes, cuts = plan.settled_cells.sizes(), dict.fromkeys(split.splits, LineCuts.between(np.empty(0)))
    for number, between in line_cuts(split).items():
        cuts[number] = LineCuts.between(between)
        if not plan.purpose.weighs:  # else it matters which of the equal records stand beside others
            cuts[number] = with_values(tied_cuts(places[cell == number], int(sizes[number]), most), between)
    rough = cut_cells(split, cuts)
    seen = _seen(hashed, plan, rough)
    pieces = cut_cells(rough, {number: _anchored(old, seen[number], plan.recipe.k) for number, old in cuts.items()})
    rows = {int(first): int(size) for first, size in zip(pieces.first, sizes, strict=True)}
    for number, new in pieces.cuts.items():
        rows |= {
            int(pieces.first[number]) + at: size for at, size in enumerate(_sizes(cuts[number], new, seen[number]))
        }
    return pieces, rows


def _begun_between(pieces: Pieces) -> Flags:
    """Which pieces begin between values, so that an anchor is looked for: not the first of a cell, nor those that begin inside a value."""
    begun = np.zeros(len(pieces.into), dtype=np.bool_)
    for number, cuts in pieces.cuts.items():
        begun[pieces.first[number] + np.array([cuts.behind(at) for at in cuts.at[cuts.deals == 1]], dtype=np.int64)] = (
            True
        )
    return begun


def _seen(hashed: DataFrame, plan: Plan, pieces: Pieces) -> dict[int, Seen]:
    """What there is to know of every cell that is cut. Ranges travel by the numbers of their pieces, shares by those behind them."""
    shares = sum(cuts.all_shares for cuts in pieces.cuts.values())
    narrow_schema = "range long, place double, key double" + (", weight double" if plan.purpose.weighs else "")
    narrow = map_batches(to_deal(hashed, pieces), partial(_narrow, plan, pieces), narrow_schema)
    look = partial(_look, plan.recipe.k, plan.purpose, _begun_between(pieces))
    schema = "range long, size long, cut double, before long"
    rows = collect(map_groups(narrow, "range", look, schema, len(pieces.into) + shares))
    known = {row["range"]: Range(row["size"], row["cut"], row["before"]) for row in rows}
    seen, behind, nothing = {}, len(pieces.into), Range(0, None, 0)
    for number, cuts in pieces.cuts.items():
        first = int(pieces.first[number])
        ranges = [known.get(first + at, nothing) for at in range(len(cuts))]
        seen[number] = Seen(ranges, [known.get(behind + at, nothing).rows for at in range(cuts.all_shares)])
        behind += cuts.all_shares
    return seen


def _narrow(plan: Plan, pieces: Pieces, tables: Iterable[Table]) -> Iterator[Table]:
    """Rows by range, with their places and keys; of rows that are but counted, as many as there are in place of a place."""
    sought = np.append(_begun_between(pieces), False)
    for table, numbers in numbered(pieces, tables):
        ready = plan.located(table)
        cell, places = plan.cells_of(ready, table.num_rows)[1], plan.points(ready.columns)[:, 0]
        keys = line_keys(plan, ready) if plan.purpose.name == "rounded" else places
        number = _range_of(pieces, cell, places, numbers)
        known = number >= 0
        inside = known & sought[np.minimum(number, len(sought) - 1)]
        counted, sizes = np.unique(number[known & ~inside], return_counts=True)
        nothing = np.zeros(len(counted))
        columns = {
            "range": np.append(number[inside], counted),
            "place": np.append(places[inside], sizes.astype(np.float64)),
            "key": np.append(keys[inside], nothing),
        }
        if (weights := plan.weights(table)) is not None:
            columns["weight"] = np.append(weights[inside], nothing)
        yield pa.table({name: pa.array(column) for name, column in columns.items()})


def _range_of(pieces: Pieces, cell: Codes, places: Floats, numbers: Numbers) -> Codes:
    """The range of every row, or the share of a value that is dealt out; -1 in cells of one piece."""
    number, behind = np.full(len(cell), -1, dtype=np.int64), len(pieces.into)
    for one, cuts in pieces.cuts.items():
        rows = np.flatnonzero(cell == one)
        tied, share = cuts.shares(places[rows], numbers[rows])
        number[rows] = pieces.first[one] + cuts.assign(places[rows], numbers[rows])
        number[rows[tied]] = behind + share
        behind += cuts.all_shares
    return number


def _look(k: int, purpose: Purpose, sought: Flags, table: Table) -> Table:
    """The size of a range and its anchor."""
    piece, values = table.column("range")[0].as_py(), np.sort(table.column("place").to_numpy())
    if piece >= len(sought) or not sought[piece]:
        size, cut, place = int(values.sum()), None, None
    else:
        keys = table.column("key").to_numpy()
        order = np.argsort(keys)
        weights = table.column("weight").to_numpy()[order] if purpose.weighs else None
        place = anchor(keys[order], k, purpose.name, weights=weights)
        size, cut = len(values), None if place is None else float(values[place])
    columns = {"piece": [piece], "size": [size], "cut": pa.array([cut], pa.float64()), "before": [place or 0]}
    return pa.table(columns)


def _anchored(old: LineCuts, seen: Seen, k: int) -> LineCuts:
    """Cuts at the anchors that were found, and inside the values that are dealt out."""
    dealt = LineCuts(old.at[old.deals > 1], old.deals[old.deals > 1]).kept(seen.shares, k)
    return with_values(dealt, np.array([one.cut for one in seen.ranges if one.cut is not None]))


def _sizes(old: LineCuts, new: LineCuts, seen: Seen) -> list[int]:
    """The number of rows of every piece of a cell between the new cuts, from what was seen between the old."""
    sizes = [0] * len(new)
    begun = {0: -np.inf} | {old.behind(at): at for at in old.at}
    for at, (rows, cut, before) in enumerate(seen.ranges):
        if rows:
            piece = new.behind(begun[at] if cut is None else cut)
            sizes[piece] += rows - before
            sizes[piece - 1] += before
    share = 0
    for at, deals in zip(old.at[old.deals > 1], old.deals[old.deals > 1].tolist(), strict=True):
        last, apart = new.behind(at), bool((new.at[new.deals > 1] == at).any())
        for place in range(deals):
            sizes[last - (deals - 1 - place if apart else 0)] += seen.shares[share + place]
        share += deals
    return sizes


# -- pieces that fall short


def _merged(hashed: DataFrame, plan: Plan, pieces: Pieces) -> tuple[Pieces, dict[int, int]]:
    """Merge pieces without k records or units, or without what is required, with a neighbour of the same cell."""
    while True:
        counted = _count(hashed, plan, pieces)
        pieces, again = pieces.joined({piece: holds for piece, (_, holds) in counted.items()})
        if not again:
            return pieces, {piece: rows for piece, (rows, _) in counted.items()}


def _count(hashed: DataFrame, plan: Plan, pieces: Pieces) -> dict[int, tuple[int, bool]]:
    """How many rows every piece has, and whether it holds k and what is required."""
    roles = plan.recipe.roles
    asked = [one.column for one in plan.asked]
    asked += [roles.weight] if plan.limits and roles.weight else []
    beside = list(dict.fromkeys([*asked, *([roles.unit] if roles.unit else [])]))
    schema = types.StructType([hashed.schema[name] for name in beside]).add(PIECE, "long")
    narrow = map_batches(to_deal(hashed, pieces), partial(_assigned, plan, pieces, beside), schema)
    checked = map_groups(narrow, PIECE, partial(_check, plan), "piece long, size long, holds boolean", len(pieces.into))
    return {row["piece"]: (row["size"], row["holds"]) for row in collect(checked)}


def _assigned(plan: Plan, pieces: Pieces, beside: list[str], tables: Iterable[Table]) -> Iterator[Table]:
    for table, numbers in numbered(pieces, tables):
        piece = pieces.assign(plan, table, numbers)
        yield table.select(beside).append_column(PIECE, pa.array(piece)).filter(pa.array(piece >= 0))


def _check(plan: Plan, table: Table) -> Table:
    unit = plan.recipe.roles.unit
    units = None if unit is None else Units.of_column(table.column(unit))
    size = table.num_rows if units is None else len(np.unique(units.number))
    demands = plan.demands(table, units)
    holds = size >= plan.recipe.k and (demands is None or demands.hold(np.arange(table.num_rows)))
    piece = table.column(PIECE)[0].as_py()
    return pa.table({"piece": [piece], "size": [table.num_rows], "holds": [holds]})
