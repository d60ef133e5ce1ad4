"""A row is kept for the next iteration, which reads it; at first there is none."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (3,)]


def item_of_the_previous_iteration(n):
    rows = [[i] for i in range(n)]
    before = None
    for row in rows:
        if before is not None:
            row.append(before[0])
        before = row
    return rows
