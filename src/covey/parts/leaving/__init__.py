"""Who leaves a table that is released in parts because they cost most: named part by part, chosen for the whole, left out of all that follows."""
