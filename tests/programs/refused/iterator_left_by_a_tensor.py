"""An iterator of Python is used after a loop that a tensor leaves early."""

REFUSED = "ContainerMutationError"
CASES = [(2,), (9,)]


def iterator_left_by_a_tensor(n):
    it = iter([1, 2, 3, 4])
    for x in it:
        if x == n:
            break
    return sum(it)
