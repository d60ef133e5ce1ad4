"""An attribute of an object that only some paths create is changed; other paths do not reach it."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (1,), (3,)]


class Box:
    def __init__(self, size):
        self.size = size


def attribute_of_a_possibly_unbound_object(n):
    for i in range(n):
        box = Box(i)
    if n > 2:
        box.size += 50
    if n > 0:
        box.size *= 2
        return box.size
    return -1
