"""A loop iterates over a list that grew, and changes a row of it by its own name."""

CASES = [(1,), (3,)]
REFUSED = "ContainerMutationError"
NAMES = "'last'"


def row_changed_while_its_list_is_iterated(n):
    rows, total = [], 0
    for i in range(n):
        rows.append([i, 1])
    last = [n, 1]
    rows.append(last)
    for row in rows:
        total += row[1]
        last[1] += 6
    return total
