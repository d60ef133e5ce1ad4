"""An iteration changes a row that came from another list in the previous one, and reads that
list."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "an item of the list 'rows'"


def rows_passed_between_iterations(n):
    rows, now = [], [[5]]
    for i in range(n):
        rows.append([i])
    for _ in range(n):
        few = now[1:] + now[:1]
        now = rows[1:] + rows[:1]
        few[-1].append(9)
    return now
