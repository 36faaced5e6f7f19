"""The types that all methods share: partitions, solutions, methods, requirements."""
