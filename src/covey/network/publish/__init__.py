"""Releases of networks: what is published, counted, measured and written."""
