"""One row is in two lists, and is changed in each of them."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'twice'"


def row_changed_in_two_lists(n):
    rows, twice = [], []
    for i in range(n):
        rows.append([i, 0])
        twice.append(rows[-1])
    rows[0].append(3)
    twice[-1][0] += 5
    return rows
