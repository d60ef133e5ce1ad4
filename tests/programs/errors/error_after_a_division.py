"""A statement that always raises is not reached where an index or a division before it raises."""

STAGES = ()
CASES = [(2,), (5,)]


def error_after_a_division(n):
    share = [3, 4, 5][n]
    share = 12 // n
    raise KeyError("share")
