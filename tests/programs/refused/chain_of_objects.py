"""A loop that only the run ends makes objects, each of which leads to the one before."""

REFUSED = "LoopMismatch"
CASES = [(1,), (3,)]
NAMES = "'head.next'"


class Node:
    def __init__(self, value, following):
        self.value, self.next = value, following


def chain_of_objects(n):
    head = None
    while n > 0:
        head = Node(n, head)
        n -= 1
    return head.value if head is not None else 0
