"""Vectors of different lengths on two paths."""

ARRAYS = True
STAGES = ("cond",)
CASES = [([1, 2, 3], 1), ([1, 2, 3], -1)]


def shapes_of_branches(xs, n):
    if n > 0:
        ys = xs[1:]
    else:
        ys = xs
    return ys * 2, xs[:1] if n > 0 else xs[:2]
