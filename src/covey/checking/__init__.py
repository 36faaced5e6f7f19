"""What any published table satisfies, and whether it is what its certificate says."""
