"""The bound of `range` is read once, before the first iteration."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


def bound_changed(n):
    count = 0
    for _ in range(n):
        n = n - 1
        count += 1
    return count, n
