"""Two branches, one after the other, may begin a row anew that has another name, and it changes."""

REFUSED = "ContainerMutationError"
CASES = [(2, 1), (3, 0)]
NAMES = "'row'"


def row_begun_anew_on_two_conditions(n, k):
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
