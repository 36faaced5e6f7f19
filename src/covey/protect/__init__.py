"""A table in memory made into a release: groups that meet what was asked, and what is published of them."""
