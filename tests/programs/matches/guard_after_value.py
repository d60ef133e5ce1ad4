"""A guard runs only where its pattern matches: the division would fail elsewhere."""

STAGES = ("cond",)
CASES = [(1, 2), (1, 20), (0, 0), (0, 9), (5, 0)]


def guard_after_value(kind, x):
    match (kind, x):
        case (1, n) if 10 // n > 1:
            x = n + 1
        case (0, n) if n == 0:
            x = 1000
        case (1, _) | (0, _):
            x = -x
    return x
