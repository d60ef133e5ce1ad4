"""`any` stops in an iterator of Python where a tensor says so; the rest is read."""

REFUSED = "ContainerMutationError"
CASES = [(2,), (9,)]


def iterator_any_uses_up(n):
    it = iter([1, 2, 3, 4])
    found = any(x > n for x in it)
    return found, next(it, 0)
