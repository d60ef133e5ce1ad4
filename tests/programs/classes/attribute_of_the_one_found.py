"""One of several objects, found by a loop that a tensor leaves, gets another attribute."""

STAGES = ("cond",)
CASES = [(4,), (0,), (9,)]


class Item:
    def __init__(self, value):
        self.value = value


def attribute_of_the_one_found(n):
    items = [Item(3), Item(5)]
    found = None
    for item in items:
        if item.value > n:
            found = item
            break
    if found is not None:
        found.value = 99
    return [item.value for item in items]
