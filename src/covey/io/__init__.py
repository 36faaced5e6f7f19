"""Files and databases in and out. What is written is staged first, read again from the file, recounted, then put in place."""

from covey.io.loaded import Loaded
from covey.io.reading import read, read_published
from covey.io.writing import write_release

__all__ = ["Loaded", "read", "read_published", "write_release"]
