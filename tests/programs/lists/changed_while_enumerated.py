"""An item is assigned at an index that a run knows while Python iterates over the list."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (2,)]
NAMES = "'numbers'"


def changed_while_enumerated(n):
    numbers, total = [1, 2, 3], 0
    for place, number in enumerate(numbers):
        numbers[n % 2] = 7
        total += place * number
    return numbers, total
