"""Each call passes a new object on, by which Python could decide: tracing it has no end."""

REFUSED = "StagingError"
NAMES = "'emptied'"
CASES = [(3,)]


class Box:
    def __init__(self, value):
        self.value = value


def new_object_in_each_call(n):
    return emptied(Box(n))


def emptied(box):
    return box.value if box.value <= 0 else emptied(Box(box.value - 1))
