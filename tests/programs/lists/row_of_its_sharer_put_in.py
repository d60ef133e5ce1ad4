"""A row that two lists have is put into one of them once more, from the other, and changed."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "one object is in the list more than once"


def row_of_its_sharer_put_in(n):
    a, b = [], []
    for i in range(n):
        a.append([i, 0])
        b.append(a[-1])
    a.append(b[-1])
    a[n % len(a)].append(1)
    return a
