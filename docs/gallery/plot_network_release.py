"""
Publishing a network
====================

A simulated network of people who meet. Its vertices are clustered, at least five in each and near a common centre, and the clusters are
published with rounded counts of the edges in and between them.
"""

# %%
import matplotlib.pyplot as plt
import networkx as nx

import covey
import covey.network

edges, people = covey.datasets.load_contacts()
done = covey.network.release(
    edges, 5, connected=True, attributes=people, numeric=["age"], unordered=["job"], method="carving", seed=4
)
print(done.vertices.num_rows, "clusters,", done.edges.num_rows, "published links between them")

# %%
# The private network and the published one. The place of a cluster follows from the published links alone.
graph = nx.from_pandas_edgelist(edges)
published = done.to_networkx()
figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
place = nx.spring_layout(graph, seed=1)
nx.draw_networkx_edges(graph, place, ax=axes[0], edge_color="#9aa0a6", width=0.5)
nx.draw_networkx_nodes(graph, place, ax=axes[0], node_size=14, node_color="#e69f00")
axes[0].set_title(f"{graph.number_of_nodes()} people, {graph.number_of_edges()} links (private)")
place = nx.spring_layout(published, seed=1, k=0.6)
sizes = [60 * facts["size"] for _, facts in published.nodes(data=True)]
ages = [facts["age"] for _, facts in published.nodes(data=True)]
nx.draw_networkx_edges(published, place, ax=axes[1], edge_color="#9aa0a6")
drawn = nx.draw_networkx_nodes(published, place, ax=axes[1], node_size=sizes, node_color=ages, cmap="cividis")
figure.colorbar(drawn, ax=axes[1], label="mean age of the cluster", shrink=0.7)
axes[1].set_title("published: a disc a cluster, by its size")
for each in axes:
    each.set_axis_off()
plt.show()

# %%
# What the counts are: a count that is published as 3 may be anything in its range.
done.edges.to_pandas().head()

# %%
# Grouping vertices does not hide links, and the report that goes with the release says so.
print(done.report.public().limits)
