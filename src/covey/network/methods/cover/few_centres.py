"""`FewCentres`: few centres outside the vertex cover, branching over which, theorem 9 of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey.network.methods.cover.method import CoverMethod, answer_of
from covey.network.methods.cover.program import is_possible, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from covey.network.methods.cover.cover import Types
    from covey.network.methods.problem import Answer, Deadline, Problem
    from covey.utils.typing import Labels


@dataclass(frozen=True)
class FewCentres(CoverMethod):
    """The smallest distance, with as few types of centres outside the vertex cover as there can be; exact, with HiGHS.

    First the centres are all in the cover, then one type outside has centres, too, then two, ...: each choice is a program
    over the types. A choice is given up with all that extend it if the program has no solution even in fractions.
    XP in vc (theorem 9): vc (2^vc - 2) centres outside the cover are enough.
    Source: Blazej, Ganian, Knop, Pokorny, Schierreich, Simonov, AAAI 2023.

    The other options are those of `NetworkMethod`.

    Parameters
    ----------
    cover
        The vertices of a vertex cover, by name; None: a minimum one.

    Examples
    --------
    >>> star = [("hub", leaf) for leaf in range(8)]
    >>> FewCentres(upper=3).solve(star, 3).radius
    1.0
    """

    name: ClassVar[str] = "few-centres"
    answers: ClassVar[frozenset[tuple[bool, str]]] = frozenset({(False, "radius")})

    def by_types(self, problem: Problem, types: Types, distance: float, deadline: Deadline) -> Answer:
        return answer_of(_branch(problem, types, deadline), "theorem 9 (vertex cover)", distance)


def _branch(problem: Problem, types: Types, deadline: Deadline) -> Labels | None:
    cover = list(range(types.cover))
    candidates = candidate_centres(types)
    labels = serve(problem, types, cover, deadline)
    if labels is not None or not candidates or not is_possible(problem, types, cover + candidates, deadline):
        return labels
    for size in range(1, min(len(candidates), problem.n // problem.lower, enough_centres(problem, types)) + 1):
        for chosen in _choices(problem, types, candidates, size, deadline):
            labels = serve(problem, types, cover + chosen, deadline)
            if labels is not None:
                return labels
    return None


def _choices(
    problem: Problem, types: Types, candidates: list[int], size: int, deadline: Deadline
) -> Iterator[list[int]]:
    """All choices of so many candidates, but for those that no fraction makes possible."""
    cover = list(range(types.cover))

    def extend(chosen: list[int], start: int) -> Iterator[list[int]]:
        if len(chosen) == size:
            yield chosen
            return
        for at in range(start, len(candidates) - (size - len(chosen)) + 1):
            if at > start and not is_possible(problem, types, cover + chosen + candidates[at:], deadline):
                return  # without the candidates before it nothing is possible, and so it stays
            yield from extend([*chosen, candidates[at]], at + 1)

    return extend([], 0)


def enough_centres(problem: Problem, types: Types) -> int:
    """So many centres outside the cover are enough wherever there is a partition.

    vc (2^vc - 2), the proof of theorem 9 on docs/network/few-centres.md; with `lower` 1 vertices that are near to nobody are
    centres of themselves, however many they are.
    """
    return problem.n if problem.lower == 1 else types.cover * max(0, 2**types.cover - 2)


def candidate_centres(types: Types) -> list[int]:
    """The types outside the cover that may have centres: no other type, there or in the cover, has all they have.

    Lemma: a centre can be replaced by one with the same vertices within the distance, and more. A centre of type c has all of
    the types near c, and itself. Of types that can replace each other the first stays.
    """
    alone = np.diag(np.array(types.counts) == 1)
    has = types.near | alone
    replaces: NDArray[np.bool_] = (
        np.array([has[types.near[:, c]].all(axis=0) for c in range(len(types.members))]) & types.near
    )
    np.fill_diagonal(replaces, False)
    before = np.tril(np.ones_like(replaces), -1)  # [c, o]: o comes first
    dropped: NDArray[np.bool_] = np.any(replaces & (~replaces.T | before), axis=1)
    return [c for c in range(types.cover, len(types.members)) if not dropped[c]]
