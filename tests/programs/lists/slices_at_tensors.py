"""Slices whose ends are tensors, a new axis, an ellipsis, and a step."""

ARRAYS = True
STAGES = ()
CASES = [([1, 2, 3, 4], 1), ([1, 2, 3, 4], 3), ([5, 6], 0)]


def slices_at_tensors(xs, i):
    return xs[i:], xs[:i], xs[-1], xs[:, None], xs[...], xs[i], xs[::-2], xs[i : i + 1]
