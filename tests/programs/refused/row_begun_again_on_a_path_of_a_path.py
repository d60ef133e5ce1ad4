"""A row is put into a list on one path, begun anew on a path of that, and filled in later turns."""

REFUSED = "ContainerMutationError"
CASES = [(2, 1), (1, 0)]
NAMES = "'row'"


def row_begun_again_on_a_path_of_a_path(n, k):
    rows, row = [], []
    for i in range(n):
        row.append(k)
        if i % 2 == 0:
            rows.append(row)
            if n > 2:
                row = [k]
    return rows, row
