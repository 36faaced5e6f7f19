"""Groups on the line with l different values in each."""
