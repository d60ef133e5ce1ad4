"""A name assigned in the test of a `while` holds the value last tested, in the body and after."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (2,)]


def walrus_in_test(x):
    i = 10
    doubles = [i * 2 for i in range(3)]
    while (rest := x - 1) > 0:
        x = rest
    return i, doubles, rest
