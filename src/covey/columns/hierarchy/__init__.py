"""Columns whose values are parts of larger ones: how that is declared, the tree that it is, distances in it, and its labels."""
