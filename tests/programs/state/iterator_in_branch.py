"""An iterator of Python's that only one path would advance."""

REFUSED = "ContainerMutationError"
NAMES = "'items'"
CASES = [(3,), (-3,)]


def iterator_in_branch(x):
    items = iter([1, 2, 3])
    if x > 0:
        x = x + next(items)
    return x + next(items)
