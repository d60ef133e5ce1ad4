"""The identity of objects in a grown list: the graph knows their contents."""

REFUSED = "StagingError"
NAMES = "compare their contents"
CASES = [(2,), (3,)]


class Body:
    def __init__(self, mass):
        self.mass = mass


def identity_of_objects_in_a_list(n):
    bodies = [Body(i) for i in range(n)]
    total = 0
    for body in bodies:
        for other in bodies:
            if other is not body:
                total = total + other.mass
    return total
