"""A column in, a column out: what there is to know of a column before anything is done to it."""
