"""`or` gives one of two lists, of which the first may be None: it cannot be changed beside them."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]


def list_or_other_list(n):
    left, right = [1], [2]
    taken = (left if n > 1 else None) or right
    taken.append(7)
    return left, right, taken
