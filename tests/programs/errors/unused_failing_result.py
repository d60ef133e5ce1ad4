"""A failing look-up raises, though its result is not used."""

STAGES = ("cond",)
CASES = [(1, 1), (2, 1), (1, 7), (0, 1)]


def unused_failing_result(n, divisor):
    items = [1, 2]
    unused = items[n]
    if divisor > 5:
        unused = items[divisor]
    return n
