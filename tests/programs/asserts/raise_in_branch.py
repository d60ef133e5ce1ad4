"""A `raise` in a branch raises when the graph takes that branch, and only then."""

STAGES = ("cond",)
CASES = [(3,), (-3,)]


def raise_in_branch(x):
    if x < 0:
        raise ValueError("negative")
    return x * 2
