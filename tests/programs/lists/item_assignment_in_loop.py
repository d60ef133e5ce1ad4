"""A list changed in place by a loop: prefix sums."""

STAGED_ONLY = "an eager tensor has no item assignment of its own; converted code rebinds the name"
STAGES = ("while_loop",)
DIFFERS = {"rows": "a list of numbers is one tensor, and comes back as one"}
CASES = [([1, 2, 3, 4], 4), ([1, 2, 3, 4], 2), ([5], 1)]


def item_assignment_in_loop(xs, n):
    for i in range(1, n):
        xs[i] = xs[i] + xs[i - 1]
    return xs
