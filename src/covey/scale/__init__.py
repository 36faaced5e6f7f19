"""Releases of more than memory holds: part by part, with what must be known of the whole found before."""
