"""The algorithms over a vertex cover, and what they share."""
