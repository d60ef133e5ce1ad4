"""Reading elements from both ends and at a computed place."""

STAGES = ()
CASES = [([3, 5, 7, 9], 2), ([3, 5, 7, 9], 0)]


def index_read(xs, i):
    return xs[0] + 10 * xs[-1] + 100 * xs[i] + 1000 * xs[i + 1]
