"""The same release on a Spark cluster: the table stays distributed from read to write."""
