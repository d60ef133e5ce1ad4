"""A loop test made of two comparisons."""

STAGES = ("while_loop",)
CASES = [(10, 12), (3, 100), (0, 5), (1, 12)]


def two_conditions(n, limit):
    i = 0
    total = 0
    while i < n and total < limit:
        total += i
        i += 1
    return i, total
