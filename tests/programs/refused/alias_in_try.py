"""A name is another list where something was raised, and that list changes afterwards."""

REFUSED = "ContainerMutationError"
NAMES = "'chosen'"
CASES = [(3,), (7,)]


def alias_in_try(n):
    lists = {"a": [], "b": []}
    try:
        chosen = lists["a"]
        if n > 5:
            raise KeyError
    except KeyError:
        chosen = lists["b"]
    chosen.append(1)
    return lists
