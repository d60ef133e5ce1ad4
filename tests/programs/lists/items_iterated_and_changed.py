"""Objects in a list that has grown in a loop, each changed by a loop over it."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


class Item:
    def __init__(self, value):
        self.value = value


def items_iterated_and_changed(n):
    items = []
    for k in range(n):
        items.append(Item(k))
    for item in items:
        item.value += n
    return len(items), [item.value for item in items]
