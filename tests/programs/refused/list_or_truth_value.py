"""A value that is an empty list on one path and a truth value on the other."""

REFUSED = "BranchMismatch"
CASES = [(3,), (0,)]


def list_or_truth_value(n):
    items = []
    for i in range(n):
        items.append(i)
    return items and n > 2
