"""A comprehension puts the rows of a grown list into another one, and a row is changed by name."""

CASES = [(1,), (3,)]
REFUSED = "ContainerMutationError"
NAMES = "'kept'"


def row_put_into_another_list_and_changed(n):
    first = [0, 0]
    rows = [first]
    for i in range(n):
        rows.append([i, i])
    kept = [row for row in rows]
    first[0] = 7
    return kept[0]
