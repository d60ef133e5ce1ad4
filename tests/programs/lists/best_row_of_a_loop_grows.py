"""A loop keeps one of the rows; when that grows, so does the row in the list."""

REFUSED = "ContainerMutationError"
NAMES = "'best'"
CASES = [(0,), (3,)]


def best_row_of_a_loop_grows(n):
    best, rows = [0], [[1], [2, 3], [4]]
    for k in range(n):
        row = rows[k]
        if len(row) > len(best):
            best = row
    best.append(99)
    return rows
