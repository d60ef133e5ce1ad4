"""An object that a loop has made is changed as an item of a list, and looked at by its name."""

REFUSED = "ContainerMutationError"
CASES = [(1,), (3,)]
NAMES = "'boxes'"


class Box:
    def __init__(self, size):
        self.size = size


def object_in_a_list_and_by_name(n):
    boxes = []
    for i in range(n):
        box = Box(i)
        boxes.append(box)
    boxes[-1].size = 99
    return box.size
