"""A tuple with one item more after each iteration."""

REFUSED = "LoopMismatch"
NAMES = "'parts'"
CASES = [(3,)]


def tuple_grows(n):
    parts = (n,)
    while n > 0:
        n = n - 1
        parts = (parts, n)
    return parts
