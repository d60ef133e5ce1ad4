"""Objects that may be None, or one of two, have attributes of any name."""

STAGES = ("cond",)
CASES = [(3,), (0,), (9,)]


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.index = value + 1
        self.present = following
        self.options = [value]

    def pick(self):
        return self.value * 2


def attributes_named_like_ours(n):
    first = Node(n, Node(5))
    chosen = first if n > 3 else first.present
    chosen.value += 1
    found, total = None, 0
    if n > 0:
        found = Node(n)
    if found is not None:
        found.value += 10
        found.index = 1
        total = found.value + found.index + found.options[0] + found.pick()
    return chosen.value, chosen.index, chosen.pick(), first.value, total
