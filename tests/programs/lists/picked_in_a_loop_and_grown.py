"""Items of a list are picked in a loop of the graph and grow alone, in the list."""

STAGES = ("while_loop",)
CASES = [(1,), (3,), (0,)]


def picked_in_a_loop_and_grown(n):
    rows = []
    for i in range(n):
        rows.append([i])
    for row in rows:
        row.append(5)
    return rows
