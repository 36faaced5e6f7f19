"""The calls of other packages, answered by Covey."""
