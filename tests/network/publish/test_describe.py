"""What is said of a release."""

from __future__ import annotations

from covey.network.publish.release import release
from covey.network.publish.risk import supergraph_risk
from covey.network.publish.utility import compare
from tests.network.publish.releases import chunks, people


def test_public_numbers_follow_from_the_release_alone() -> None:
    """Whoever has the files finds every number of the public report again: no number of the original is in it."""
    graph = people(40, 1, 0.2)
    done = release(graph, 5, solution=chunks(graph, 5), measure=True, seed=1)
    drawn = done.sample(0).network
    again = [*supergraph_risk(drawn, done.vertices, done.edges, 5), *compare(drawn, drawn)]
    assert done.report.public().measures == [measure.published() for measure in again if measure.public]
    counted = done.recount(done.vertices.to_pydict(), done.edges.to_pydict())
    numbers = {name: value for name, value in done.report.public().facts.items() if not isinstance(value, str)}
    assert numbers == {
        "lower_asked": 5,
        "smallest_cluster": counted.smallest,
        "clusters": counted.clusters,
        "vertices": counted.vertices,
        "linked_pairs_of_clusters": done.edges.num_rows,
        "clusters_are_connected": False,
        "rows_with_certain_links": counted.certain,
    }
