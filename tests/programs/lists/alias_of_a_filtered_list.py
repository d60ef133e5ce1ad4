"""A loop filters a list and changes a row, which another name of the list shows, too."""

REFUSED = "ContainerMutationError"
CASES = [(1, 0), (3, 1)]
NAMES = "an item of a list"


def alias_of_a_filtered_list(n, k):
    rows = []
    for i in range(n):
        rows.append([i, 0])
    all_rows = rows
    for _ in range(n):
        rows = [row for row in rows if row[0] >= 0]
        rows[k % len(rows)].append(4)
    return all_rows
