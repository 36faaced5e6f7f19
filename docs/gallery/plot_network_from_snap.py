"""
From a SNAP file to a sampled graph
===================================

Collections of networks such as SNAP hold lists of edges: an edge a line, comments after #. This page writes a small one, looks at what would be
found in it, compares ways to cluster it, publishes one, and draws a graph from what is published.
"""

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import networkx as nx

from covey.network import check, compare, release

folder = Path(tempfile.mkdtemp())
graph = nx.powerlaw_cluster_graph(150, 2, 0.6, seed=3)
lines = ["# Undirected graph: friends.txt", "# FromNodeId\tToNodeId", *(f"{u}\t{v}" for u, v in graph.edges)]
path = folder / "friends.txt"
path.write_text("\n".join(lines) + "\n", encoding="utf-8")
print(*lines[:4], sep="\n")

# %%
# Names are gone, and yet most people are found by whoever knows how many friends their friends have.
for attacker in check(path, 5):
    print(f"by {attacker.known}: {attacker.unique} of 150 are unique, {attacker.below} have fewer than 5 candidates")

# %%
# Which clusters? Larger ones cost more of what an analyst looks for; the numbers are of graphs drawn from each release.
comparison = compare(path, [3, 5, 10], methods=["carving"], connected=[True], samples=2)
for row in comparison.rows():
    size = "original" if row["lower"] is None else f"lower {row['lower']}"
    print(
        f"{size:>9}: clustering {row['clustering']:.2f}, assortativity {row['assortativity']:+.2f}, modularity {row['modularity']:.2f}"
    )

# %%
# Published: the clusters, their links with weights. The recipe makes the same release again, from Python or with
# `covey network release friends.txt --recipe recipe.toml`; it holds the seed, so it stays where the original is.
done = release(path, 5, connected=True, method="carving", seed=11, ledger=False)
print(done)
print(done.recipe.to_toml())

# %%
# Whoever needs a graph draws one from the release: it tells nothing that the release does not.
sample = done.sample(1)
sample.write(folder / "sample.graphml")
figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained")
published = done.to_networkx()
weights = [facts.get("weight", 0) / 3 for *_, facts in published.edges(data=True)]
sizes = [40 * facts["size"] for _, facts in published.nodes(data=True)]
titles = ("private", "published: clusters, links by weight", "drawn from it")
for each, shown, title in zip(axes, (graph, published, sample.to_networkx()), titles, strict=True):
    at = nx.spring_layout(shown, seed=1)
    of_clusters = shown is published
    nx.draw_networkx_edges(shown, at, ax=each, edge_color="#9aa0a6", width=weights if of_clusters else 0.5)
    nx.draw_networkx_nodes(shown, at, ax=each, node_size=sizes if of_clusters else 12, node_color="#4477aa")
    each.set_title(title)
    each.set_axis_off()
plt.show()
