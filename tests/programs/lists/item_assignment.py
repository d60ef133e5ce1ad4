"""Assigning to an element by a constant and by a computed place."""

STAGED_ONLY = "an eager tensor has no item assignment of its own; converted code rebinds the name"
STAGES = ()
DIFFERS = {"rows": "a list of numbers is one tensor, and comes back as one"}
CASES = [([1, 2, 3], 1, 9), ([4, 5], 0, -1)]


def item_assignment(xs, i, v):
    xs[i] = v
    xs[-1] = xs[0] + v
    return xs
