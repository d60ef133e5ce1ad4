"""A long Python range that is left when a tensor says so is a loop of the graph."""

STAGES = ("while_loop",)
CASES = [(2.0,), (1e6,)]


def long_range_left_early(x):
    for step in range(1000):
        change = (x * x - 2.0) / (2.0 * x)
        x = x - change
        if abs(change) < 1e-4:
            break
    else:
        step = -1
    return x, step
