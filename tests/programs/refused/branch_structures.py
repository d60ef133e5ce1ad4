"""One branch leaves a pair, the other a list of three."""

REFUSED = "BranchMismatch"
NAMES = "'parts'"
CASES = [(3,), (-3,)]


def branch_structures(x):
    if x > 0:
        parts = (x, x)
    else:
        parts = [x, x, x]
    return parts
