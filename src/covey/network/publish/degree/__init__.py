"""Networks in which every degree occurs at least k times."""
