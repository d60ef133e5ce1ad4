"""Ranges whose bounds are tensors are equal where their numbers are, as Python's are."""

STAGES = ()
CASES = [(3, 3), (0, -4), (4, 3), (2, 7)]


def ranges_compared(n, m):
    r = range(n)
    same = r == range(m), r != range(m), r == r, range(3) == r, range(3) != r
    by_two = range(0, n, 2) == range(0, 4, m), range(n, m) == range(m, n)
    return same, by_two, range(m) in [r], (r, 1) == (range(3), 1), r == [0, 1, 2]
