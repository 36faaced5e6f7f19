"""Grouping the vertices of a network: clusters of at least `lower` vertices near a common centre."""
