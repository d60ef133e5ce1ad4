"""A row that Python knows, after a run of others, is changed as an item of another list."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'others'"


def row_beside_a_run_changed(n):
    rows, others = [], [[1], [2]]
    for i in range(n):
        rows.append([i])
    rows.append([n, n])
    others[n % 2] = rows[-1]
    others[n % 2].append(4)
    return len(rows[n % len(rows)])
