"""`python -m covey` is the program `covey`."""

from covey.cli import run

if __name__ == "__main__":
    run()
