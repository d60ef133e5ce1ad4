"""An iterator over a list is created before the list grows, and iterated over after it."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (-1,)]
NAMES = "'items'"


def pairs_made_before_the_list_grew(x):
    items = [1, 2]
    pairs = zip(items, "abc")
    if x > 0:
        items.append(x)
    return len(list(pairs))
