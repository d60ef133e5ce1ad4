"""In each iteration a slice is taken of a list, and then a row in both is changed."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]


def slice_taken_before_the_change(n):
    rows, some = [], []
    for i in range(n):
        rows.append([i])
    for i in range(n):
        some = rows[1:]
        rows[-1].append(i)
    return some
