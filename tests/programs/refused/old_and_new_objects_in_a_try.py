"""A list of objects gets one at an index of the run, in a `try` that may raise after that."""

REFUSED = "StagingError"
NAMES = "'nodes'"
CASES = [(3,), (7,)]


class Node:
    def __init__(self, value):
        self.value = value


def old_and_new_objects_in_a_try(n):
    nodes, last = [Node(n + 1), Node(n + 2)], Node(n + 3)
    try:
        nodes.insert(n % 2, last)
        if n > 5:
            raise ValueError(n)
    except ValueError:
        n = -n
    return n, [node.value for node in nodes]
