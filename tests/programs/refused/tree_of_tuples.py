"""A recursive function puts a number into a tree of tuples, which gets deeper with every call."""

REFUSED = "StagingError"
NAMES = "'insert'"
CASES = [(1,), (5,)]


def insert(node, x):
    if node is None:
        return (None, x, None)
    left, key, right = node
    if x < key:
        return (insert(left, x), key, right)
    return (left, key, insert(right, x))


def tree_of_tuples(x):
    return insert(insert(insert(None, x), x - 2), x - 1)[1]
