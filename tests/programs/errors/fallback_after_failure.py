"""An operation that fails when the graph runs is caught like one that fails in Python."""

STAGES = ("while_loop",)
CASES = [(12, [1, 2, 3]), (12, [4, 0, 2]), (12, []), (12, [1])]


def fallback_after_failure(x, divisors):
    total = 0
    for d in divisors:
        try:
            total += x // d
        except (ZeroDivisionError, ValueError):
            total += 1000
    return total
