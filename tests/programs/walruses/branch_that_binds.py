"""A walrus in one branch of a choice, in a chain of comparisons and in an `or`."""

NO_GRAPH = "the words for an unbound name are those of the running Python"
STAGES = ("cond",)
CASES = [(5,), (-5,), (9,), (0,)]


def branch_that_binds(x):
    y = 100
    z = 1 if x > 6 else (y := x - 1)
    if 0 < (y := y - 1) < 5 or (w := y + z) < 0:
        w = y
    return y, z, w
