"""Slices with start, stop, step and negative places."""

STAGES = ()
DIFFERS = {"rows": "a part of a tensor is a tensor"}
CASES = [([1, 2, 3, 4, 5],), ([0.5, 1.5, 2.5],)]


def slice_read(xs):
    return xs[1:], xs[:-1], xs[::2], xs[1:3], xs[::-1]
