"""The list that a recursive function changes and returns is the caller's own."""

STAGES = ("recursion",)
CASES = [(3,), (0,)]


def walked(n, found):
    found.append(n)
    if n > 0:
        walked(n - 2, found)
    return found, n


def returned_argument(n):
    found = []
    same, _ = walked(n, found)
    same.append(100)
    return found, same is found
