"""Files larger than memory: read, grouped and written in parts."""
