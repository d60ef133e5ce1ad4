"""An exception of an iteration is caught in it, with its values; the loop goes on."""

STAGES = ("while_loop", "cond")
CASES = [([1, 2, 3], 5), ([1, 9, 3, 7], 5), ([], 5), ([1], 5)]


def checked(v, limit):
    if v > limit:
        raise ValueError("too large", v - limit)
    return v


def try_in_loop(xs, limit):
    total = excess = 0
    for v in xs:
        try:
            total += checked(v, limit)
        except ValueError as error:
            excess += error.args[1]
    return total, excess
