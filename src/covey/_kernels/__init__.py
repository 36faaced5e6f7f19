"""The compiled kernels. Arrays in, arrays out; they check nothing (the callers in `covey` did)."""
