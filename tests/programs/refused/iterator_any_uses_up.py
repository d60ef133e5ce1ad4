"""`any` stops going over an iterator of Python's where a tensor says so; what is left is asked."""

REFUSED = "ContainerMutationError"
CASES = [(2,), (9,)]


def iterator_any_uses_up(n):
    it = iter([1, 2, 3, 4])
    found = any(x > n for x in it)
    return found, next(it, 0)
