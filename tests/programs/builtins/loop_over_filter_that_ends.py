"""A `for` over the numbers of Python's left by `filter`, with `break`, `continue` and `else`."""

STAGES = ("cond",)
CASES = [(0,), (1,), (3,), (4,)]


def loop_over_filter_that_ends(n):
    total = 0
    for v in filter(lambda v: v > n, [1, 2, 3, 4]):
        if v == n + 2:
            continue
        total = total * 10 + v
        if total > 12:
            break
    else:
        total = -total
    return total
