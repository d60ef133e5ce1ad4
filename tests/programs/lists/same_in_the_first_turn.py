"""Whether two lists are one is asked in a loop that makes one of them anew."""

REFUSED = "StagingError"
CASES = [(0,), (3,)]


def same_in_the_first_turn(n):
    items = []
    first = items
    for i in range(n):
        if items is first:
            items = [i]
    return items, first
