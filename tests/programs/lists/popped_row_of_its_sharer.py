"""A row is taken out of one of two lists that have it, and put into the other once more."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "one object is in the list more than once"


def popped_row_of_its_sharer(n):
    a, b = [], []
    for i in range(n):
        a.append([i, 0])
        b.append(a[-1])
    a.append(b.pop())
    a[n % len(a)].append(1)
    return a
