"""The steps of the page, one file each. They show what a session holds and hand on what is chosen; nothing is computed here."""
