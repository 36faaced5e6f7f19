"""Random hierarchies and their obvious definitions, for tests."""

from __future__ import annotations

import random
from dataclasses import dataclass

from covey.columns.hierarchy.tree import Tree, tree_of_rows


@dataclass(frozen=True)
class Chains:
    """A hierarchy as what is above each value: from the value up to the root."""

    of_value: dict[str, list[str]]

    @property
    def values(self) -> list[str]:
        return sorted(self.of_value)

    def below(self, label: str) -> list[str]:
        return [value for value, chain in self.of_value.items() if label in chain]

    def chain(self, label: str) -> list[str]:
        whole = self.of_value[self.below(label)[0]]
        return whole[whole.index(label) :]

    def common(self, labels: list[str]) -> str:
        chains = [self.chain(label) for label in labels]
        return next(label for label in chains[0] if all(label in chain for chain in chains))

    def loss(self, value: str, label: str) -> float:
        return (len(self.below(self.common([value, label]))) - 1) / max(1, len(self.of_value) - 1)


def random_chains(seed: int, values: int, depth: int = 3, inner: float = 0.0) -> Chains:
    """A hierarchy of so many values; some of them (`inner`) are labels of others, too."""
    draw = random.Random(seed)
    chains: dict[str, list[str]] = {}
    above = {"": ["*"]}
    for _ in range(depth - 1):
        over = draw.choice(list(above))
        for _ in range(draw.randint(1, 3)):
            label = f"g{len(above)}"
            above[label] = [label, *above[over]]
    for number in range(values):
        chains[f"v{number:02d}"] = [f"v{number:02d}", *above[draw.choice(list(above))]]
    used = {label for chain in chains.values() for label in chain[1:] if label != "*"}
    for label in sorted(used):
        if draw.random() < inner:
            chains[label] = list(above[label])
    return Chains(chains)


def tree(chains: Chains) -> Tree:
    return tree_of_rows("x", list(chains.of_value.values()))
