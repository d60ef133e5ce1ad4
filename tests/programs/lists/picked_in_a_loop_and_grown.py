"""Items of a list are picked in a loop of the graph and grow alone: Python grows the list's own."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]


def picked_in_a_loop_and_grown(n):
    rows = []
    for i in range(n):
        rows.append([i])
    for row in rows:
        row.append(5)
    return rows
