"""Tuples and lists with tensors in them, compared, chosen from and put in order as Python does."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (2,), (5,), (-1,)]


def pairs_in_order(n):
    grown = []
    for i in range(n + 1):
        grown.append((i % 2, -i))
    pairs = [(n, 1), (1, 2), (n * n, 0)]
    nearest = min([3, 1, 2], key=lambda i: (abs(i - n), -i))
    later = 1 if (0, 0) < (n, 1) < (2, n) else 0
    return min(pairs), sorted(pairs, reverse=True), sorted(grown), max(grown), nearest, later
