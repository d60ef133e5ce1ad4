"""An object has two names in the first iteration, is appended to two lists by these, and
changes."""

REFUSED = "ContainerMutationError"
CASES = [(2,), (0,)]
NAMES = "one object is in the list more than once"


class Box:
    def __init__(self, v):
        self.v = v


def object_of_two_names_put_in_by_both(n):
    a, b, box = [], [], Box(0)
    other = box
    for _ in range(n):
        a.append(box)
        b.append(other)
        box = Box(box.v)
    for each in a:
        each.v += 5
    return [each.v for each in a], [each.v for each in b]
