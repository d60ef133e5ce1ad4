"""Each of two branches may create a row again that has an alias, and it changes."""

REFUSED = "ContainerMutationError"
CASES = [(2, 1), (3, 0)]
NAMES = "'row'"


def row_recreated_on_two_conditions(n, k):
    row = []
    for i in range(n):
        row = [i]
        other = row
        if i > k:
            row = [i]
        if i > k:
            row = [i, k]
        other.append(5)
    return row
