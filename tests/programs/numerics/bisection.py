"""Root of a falling and rising polynomial by bisection, a fixed number of halvings."""

STAGES = ("while_loop", "cond")
CASES = [(1.0, 2.0, 12), (0.0, 2.0, 1), (1.0, 2.0, 0)]


def bisection(low, high, halvings):
    for _ in range(halvings):
        middle = (low + high) / 2.0
        if middle * middle * middle - middle - 2.0 < 0.0:
            low = middle
        else:
            high = middle
    return low, high
