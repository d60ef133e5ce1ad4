"""A list of one row keeps it or not, and the row is changed in the list it came from."""

REFUSED = "ContainerMutationError"
CASES = [(1, 0), (5, 0)]
NAMES = "an item of a list"


def only_row_kept_and_changed(n, k):
    rows = [[5]]
    kept = [row for row in rows if row[0] != n]
    rows[k % len(rows)].append(8)
    return kept
