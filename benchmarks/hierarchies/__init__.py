"""Labels of hierarchies beside full-domain recoding."""
