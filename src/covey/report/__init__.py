"""The report of a release: collected once, then rendered as text, JSON or HTML."""
