"""Numbers and the words that go with them."""

from __future__ import annotations


def counted(number: int, noun: str, several: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "group"), counted(3000, "group"), counted(2, "stratum", "strata")
    ('1 group', '3000 groups', '2 strata')
    """
    return f"{number} {noun if number == 1 else several or noun + 's'}"


def joined(parts: list[str]) -> str:
    """Parts of a sentence as a list.

    >>> joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)
