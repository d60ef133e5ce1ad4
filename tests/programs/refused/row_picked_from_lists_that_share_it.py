"""A row comes into one list from two lists that hold the same rows, and is changed there."""

REFUSED = "ContainerMutationError"
CASES = [(1, 0), (3, 4)]
NAMES = "one object is in the list more than once"


def row_picked_from_lists_that_share_it(n, k):
    rows, same = [], []
    for i in range(n):
        rows.append([i])
        same.append(rows[-1])
    few = [row for row in same]
    few.append(rows[n % len(rows)])
    few[k % len(few)].append(6)
    return few
