"""The dict that `max` chooses by a tensor is one of the list's: it cannot be changed beside it."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (-1,)]


def best_dict_changes(n):
    found = [{"k": 1}, {"k": 2}]
    best = max(found, key=lambda each: each["k"] * n)
    best["k"] = 99
    return found
