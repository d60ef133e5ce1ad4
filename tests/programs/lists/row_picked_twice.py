"""Two rows are picked that may be one, and put into a list where one of them changes."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]


def row_picked_twice(n):
    rows = []
    for i in range(n):
        rows.append([i])
    ends = [rows[0], rows[n - 1]]
    ends[n % 2].append(7)
    return ends
