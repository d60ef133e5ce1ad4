"""A loop that a tensor ends finds one of several objects, whose attribute is assigned."""

STAGES = ("cond",)
CASES = [(4,), (0,), (9,)]


class Item:
    def __init__(self, value):
        self.value = value


def attribute_of_a_found_object(n):
    items = [Item(3), Item(5)]
    found = None
    for item in items:
        if item.value > n:
            found = item
            break
    if found is not None:
        found.value = 99
    return [item.value for item in items]
