"""`ClusterTypes`: integer programs over the types of vertices, theorems 7 and 8 of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from covey.network.methods.cover.method import CoverMethod, answer_of
from covey.network.methods.cover.parts import by_parts
from covey.network.methods.cover.program import serve

if TYPE_CHECKING:
    from covey.network.methods.cover.cover import Types
    from covey.network.methods.problem import Answer, Deadline, Problem


@dataclass(frozen=True)
class ClusterTypes(CoverMethod):
    """The smallest distance by integer programs whose variables are bounded by the vertex cover and d; exact, with HiGHS.

    Connected clusters (theorem 7): every way to cut the cover into parts, one to a cluster, is a program: how many vertices of
    each type each part takes, and its centre. Others (theorem 8): one program: how many clusters each type is the centre of,
    and how many vertices of each type they take. FPT in vc + d.
    Source: Blazej, Ganian, Knop, Pokorny, Schierreich, Simonov, AAAI 2023.

    The other options are those of `NetworkMethod`.

    Parameters
    ----------
    cover
        The vertices of a vertex cover, by name; None: a minimum one.

    Examples
    --------
    >>> star = [("hub", leaf) for leaf in range(8)]
    >>> ClusterTypes(upper=3).solve(star, 3).radius
    1.0
    """

    name: ClassVar[str] = "cluster-types"
    answers: ClassVar[frozenset[tuple[bool, str]]] = frozenset({(True, "radius"), (False, "radius")})

    def by_types(self, problem: Problem, types: Types, distance: float, deadline: Deadline) -> Answer:
        if problem.connected:
            return answer_of(by_parts(problem, types, deadline), "theorem 7 (vertex cover)", distance)
        centres = list(range(len(types.members)))
        return answer_of(serve(problem, types, centres, deadline), "theorem 8 (vertex cover)", distance)
