"""Slices of a tensor assigned, and added to: the name stands for a new tensor."""

ARRAYS = True
STAGED_ONLY = "an eager tensor has no item assignment of its own; converted code rebinds the name"
STAGES = ("cond",)
CASES = [([1, 2, 3, 4], 2), ([1, 2, 3, 4], -2)]


def slice_assigned(xs, n):
    if n > 0:
        xs[1:3] = n
        xs[0] += 10
    else:
        xs[-1] = n
    xs[2:] *= 3
    return xs
