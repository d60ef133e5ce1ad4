"""An attribute of a class, made the object's own by the first assignment in a loop."""

STAGES = ("while_loop",)
CASES = [(3,), (1,), (0,)]


class Box:
    value = 1


def shared_class_attribute(n):
    box = Box()
    for i in range(n):
        box.value += i + 1
    return box.value, Box.value
