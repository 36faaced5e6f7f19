"""The methods that cluster the vertices of a network."""
