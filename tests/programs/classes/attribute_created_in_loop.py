"""A loop creates an attribute and assigns an item."""

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]


class Box:
    pass


def attribute_created_in_loop(n):
    box, pair = Box(), [0, 0]
    for i in range(n):
        box.last = i * 10
        pair[1] = pair[0] + i
        pair[0] = i
    return box.last, pair
