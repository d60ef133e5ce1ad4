"""A loop over a tensor between two yields becomes a graph; the loop around the yields stays."""

STAGES = ("while_loop", "while_loop")
CASES = [(10, 3), (64, 2), (1, 5)]


def halvings(n, limit):
    for step in range(2):
        while n > limit:
            n = n // 2
        yield n + step
        limit = limit - 1


def loop_between_yields(n, limit):
    first, second = halvings(n, limit)
    return first * 100 + second
