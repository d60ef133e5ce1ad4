"""The right side of `and` is not evaluated when the left side is false: no index error."""

STAGES = ("cond",)
CASES = [([3, -4, 5], 0), ([3, -4, 5], 1), ([3, -4, 5], 7)]


def short_circuit(xs, i):
    if i < len(xs) and xs[i] > 0:
        return 1
    return 0
