"""An index goes up and down, so that all iterations change one row, kept in another list."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'kept'"


def index_that_comes_back(n):
    rows, kept, at = [], [], 0
    for i in range(n):
        rows.append([i])
    while len(kept) < n:
        at += 1
        at -= 1
        row = rows[at]
        row.append(1)
        kept.append(row)
    return len(kept[0])
