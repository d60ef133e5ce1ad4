"""Elements chosen by a mask assigned, and read."""

ARRAYS = True
STAGED_ONLY = "an eager tensor has no item assignment of its own; converted code rebinds the name"
STAGES = ()
CASES = [([1, -2, 3, -4],), ([5],), ([-5],)]


def mask_assigned(xs):
    xs[xs < 0] = 0
    xs[xs > 2] += 10
    return xs, xs[xs > 0]
