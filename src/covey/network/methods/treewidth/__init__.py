"""The dynamic programs over a tree decomposition."""
