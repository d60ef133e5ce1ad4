"""An attribute that the path taken did not make raises when it is read."""

NO_GRAPH = "its error message is in the words of the running Python"
STAGES = ("cond",)
CASES = [(3,), (-3,)]


class Box:
    pass


def missing_attribute(x):
    box = Box()
    if x > 0:
        box.value = x * 10
    return box.value
