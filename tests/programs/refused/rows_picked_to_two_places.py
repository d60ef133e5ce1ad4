"""Rows are picked out of a list, put in two places of another, and one is changed there."""

REFUSED = "ContainerMutationError"
CASES = [(3, 1), (2, 1)]
NAMES = "one object is in the list more than once"


def rows_picked_to_two_places(n, k):
    rows, others = [], [[1], [2]]
    for i in range(n):
        rows.append([i])
    rows[0] = others[n % 2]
    rows[-1] = others[k % 2]
    rows[0].append(k)
    return rows
