"""A variable is one list in some iterations of a loop and another in the others."""

REFUSED = "ContainerMutationError"
NAMES = "'current'"
CASES = [(0, 1), (4, 2)]


def list_changed_in_the_next_iteration(n, k):
    first, second = [1], [2]
    current = first
    for i in range(n):
        if i == k:
            current = second
        current.append(i)
    return first, second
