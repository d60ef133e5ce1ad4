"""A part of a tuple is a tuple, and how long it is has to be known."""

REFUSED = "StagingError"
CASES = [(1,)]


def part_of_a_tuple(n):
    return (1, 2, 3, 4)[n:]
