"""`contextlib.suppress` swallows exceptions of the graph's run, and only those it names."""

from contextlib import suppress

STAGES = ("while_loop", "cond")
CASES = [([1, 2, 3], 5), ([1, 9, 3], 5), ([], 5), ([1], 5)]


def suppressed_in_loop(xs, limit):
    total = 0
    for v in xs:
        with suppress(ValueError):
            if v > limit:
                raise ValueError("too large")
            total += v
    return total
