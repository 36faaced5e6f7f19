"""The local page: a release without writing code, in the browser, on one's own machine. Needs the extra `web`."""
