"""An assignment expression in tests, in an operand that may not be evaluated, and in a call."""

STAGES = ("cond",)
CASES = [(3,), (0,), (-3,)]


def walrus_in_branches(x):
    last = 0
    if (y := x * 2) > 0 and (last := y + 1) > 3:
        y = last
    elif (z := y - 1) < -1:
        y = z * 10
    total = abs(w := y - 1) + w
    return y, last, total
