"""The recount: what a finished release satisfies, counted on the released values alone, by code that shares nothing with the methods.

`classes` counts records and units, `requirements` the sensitive values, `release` holds both against a recipe, `duckdb` does it for a
file larger than memory. The recounts of Spark (`covey.spark.recount`, `covey.spark.sensitive`) and of networks (`covey.network.publish.recount`)
stand beside what they read; tests/test_imports.py fences them all.
"""
