"""A key that always raises raises for the first item; there is none in an empty vector."""

STAGES = ("cond",)
CASES = [([3, 1], 0), ([3, 1], 1)]


def key_that_always_raises(xs, n):
    if n > 0:
        return sorted(xs, key=lambda x: missing)
    return sorted(xs, key=lambda x: -x)
