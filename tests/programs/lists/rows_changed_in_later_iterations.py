"""A row is appended to a list, and a later iteration changes it where it was picked."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'kept'"


def rows_changed_in_later_iterations(n):
    rows, kept = [], []
    for i in range(n):
        rows.append([i])
    for i in range(2 * n):
        row = rows[i % n]
        row.append(1)
        kept.append(row)
    return len(kept[0])
