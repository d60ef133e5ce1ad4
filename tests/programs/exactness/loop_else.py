"""The `else` of a loop runs unless the loop was left by `break`."""

PYTHON_ONLY = "loop else is left to Python"
CASES = [([1, 2, 3], 2), ([1, 2, 3], 9), ([], 1)]


def loop_else(xs, wanted):
    for place, v in enumerate(xs):
        if v == wanted:
            break
    else:
        place = -1
    rest = len(xs)
    while rest:
        rest -= 1
        if rest == wanted:
            break
    else:
        rest = "exhausted"
    return place, rest
