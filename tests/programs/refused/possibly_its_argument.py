"""A list a recursive function returns is the one it was given if the graph goes no deeper."""

REFUSED = "ContainerMutationError"
CASES = [(2,), (0,)]


def longer(n, items):
    if n <= 0:
        return items
    return longer(n - 1, [*items, n])


def possibly_its_argument(n):
    items = [5]
    longest = longer(n, items)
    longest.append(100)
    return len(items), sum(longest)
