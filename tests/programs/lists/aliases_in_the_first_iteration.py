"""`is` compares two lists in a loop that assigns a new list to one of them."""

REFUSED = "StagingError"
CASES = [(0,), (3,)]


def aliases_in_the_first_iteration(n):
    items = []
    first = items
    for i in range(n):
        if items is first:
            items = [i]
    return items, first
