"""`ord` of a letter that only the run knows."""

REFUSED = "StagingError"
NAMES = "ord"
CASES = [(1,)]


def number_of_a_letter(n):
    return ord("a" if n > 0 else "b")
