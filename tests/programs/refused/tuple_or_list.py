"""A tuple that a loop makes a list of."""

REFUSED = "LoopMismatch"
CASES = [(3,), (0,)]
NAMES = "'pair'"


def tuple_or_list(n):
    pair = (1, 2)
    for _ in range(n):
        pair = [1, 2]
    return pair
