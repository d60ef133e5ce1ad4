"""An object that one path makes around a list changes it, and the list is known by a name, too."""

REFUSED = "ContainerMutationError"
NAMES = "'box'"
CASES = [(3,), (-7,)]


class Box:
    def __init__(self, items):
        self.items = items


def list_of_one_of_two_objects(n):
    known = [1]
    box = Box([2])
    if n > 0:
        box = Box(known)
    box.items.append(n)
    return known, box.items
