"""Panels whose pattern of waves is rare are cut back to a pattern that they share: which one, so that few rows are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.utils.typing import Codes, Flags

MOST_TOGETHER = 1000
"""Rare patterns are joined among so many that resemble each other: beyond, the table of pairs would not fit."""


def common_patterns(patterns: Flags, units: Codes, k: int) -> Flags:
    """For every pattern (a row: which waves it has; all differ) the part of it that its units keep, none where nothing is shared.

    So many units have each pattern. Those of at least k are kept as they are. Of the others, those two are joined in what they have in
    common that lose the fewest rows by it, or one is cut to a kept pattern within it, again and again, until at least k have each; then
    a pattern goes over to a larger one within it where at least k stay. Greedy over the lattice of patterns, O(p^2 w) for p rare patterns
    of w waves. The least loss of rows is not promised.
    """
    rare = np.flatnonzero(units < k)
    kept = patterns.copy()
    common = patterns[units >= k]
    order = rare[np.lexsort(patterns[rare].T)] if len(rare) else rare
    for start in range(0, len(order), MOST_TOGETHER):
        some = order[start : start + MOST_TOGETHER]
        kept[some] = _Joining(patterns[some], units[some], common, k).run()
    return kept


class _Joining:
    """Clusters of rare patterns, joined until at least k units have what each has in common."""

    def __init__(self, patterns: Flags, units: Codes, common: Flags, k: int) -> None:
        self.patterns, self.units, self.common, self.k = patterns, units, common, k
        self.shared = patterns.astype(np.float32)
        """What the patterns of a cluster have in common."""
        self.size = units.astype(np.float64)
        self.cluster = np.arange(len(units))
        self.is_open = np.ones(len(units), dtype=bool)
        """Whether a cluster has fewer than k units and may be joined."""
        self.within = np.array([self._best_within(pattern) for pattern in patterns])
        self.alone = np.array([self._lost_within(at) for at in range(len(units))])
        """The rows that are lost where a cluster is cut to a pattern that at least k units have anyway."""
        self.cost = np.array([self._costs(at) for at in range(len(units))]).reshape(len(units), len(units))

    def run(self) -> Flags:
        """What the units of every pattern keep."""
        settled: dict[int, NDArray[np.bool_]] = {}
        while self.is_open.any():
            pair = int(np.argmin(self.cost))
            target, joined = divmod(pair, len(self.units))
            if float(self.alone.min()) <= self.cost[target, joined]:
                at = int(np.argmin(self.alone))
                if not np.isfinite(self.alone[at]):
                    break  # what is left has nothing in common with anything
                settled[at] = self.within[at]
                self._close(at)
            else:
                self._join(target, joined)
                if self.size[target] >= self.k:
                    settled[target] = self.shared[target] > 0
                    self._close(target)
        nothing = np.zeros(self.patterns.shape[1], dtype=bool)
        return self._exchanged(np.array([settled.get(int(at), nothing) for at in self.cluster]))

    def _best_within(self, pattern: NDArray[np.float32] | Flags) -> NDArray[np.bool_]:
        """The largest pattern of at least k units within this one; nothing where there is none."""
        fits = self.common[~(self.common & ~(pattern > 0)).any(axis=1)]
        if len(fits) == 0:
            return np.zeros(len(pattern), dtype=bool)
        best: NDArray[np.bool_] = fits[int(np.argmax(fits.sum(axis=1)))]
        return best

    def _lost_within(self, at: int) -> float:
        if not self.within[at].any():
            return np.inf
        return float(self.size[at] * (self.shared[at].sum() - self.within[at].sum()))

    def _costs(self, at: int) -> NDArray[np.float64]:
        """The rows that are lost where a cluster is joined with each of the others."""
        both = self.shared @ self.shared[at]
        waves = self.shared.sum(axis=1)
        lost = self.size * (waves - both) + self.size[at] * (waves[at] - both)
        lost[(both == 0) | ~self.is_open] = np.inf
        lost[at] = np.inf
        return np.asarray(lost, dtype=np.float64)

    def _close(self, at: int) -> None:
        self.is_open[at], self.alone[at] = False, np.inf
        self.cost[at] = self.cost[:, at] = np.inf

    def _join(self, target: int, joined: int) -> None:
        self.shared[target] *= self.shared[joined]
        self.size[target] += self.size[joined]
        self.cluster[self.cluster == joined] = target
        self._close(joined)
        self.within[target] = self._best_within(self.shared[target])
        self.alone[target] = self._lost_within(target)
        self.cost[target] = self.cost[:, target] = self._costs(target)

    def _exchanged(self, kept: Flags) -> Flags:
        """Patterns go over to the largest one within them that others keep, where at least k units stay behind."""
        options, at = np.unique(np.vstack([kept, self.common]), axis=0, return_inverse=True)
        at = at.reshape(-1)
        size = np.bincount(at[: len(kept)], weights=self.units, minlength=len(options))
        size[at[len(kept) :]] = np.inf  # of which there are k without them
        of, waves = at[: len(kept)].copy(), options.sum(axis=1)
        changed = True
        while changed:
            changed = False
            for number, pattern in enumerate(self.patterns):
                fits = (size >= self.k) & (waves > waves[of[number]]) & ~(options & ~pattern).any(axis=1)
                is_left_out = waves[of[number]] == 0
                if fits.any() and (is_left_out or size[of[number]] - self.units[number] >= self.k):
                    best = int(np.argmax(np.where(fits, waves, -1)))
                    size[of[number]] -= self.units[number]
                    size[best] += self.units[number]
                    of[number], changed = best, True
        result: Flags = options[of]
        return result
