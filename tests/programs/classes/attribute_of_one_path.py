"""An attribute that only one path makes is missing only where it is asked for."""

STAGES = ("cond",)
CASES = [(3, 1), (3, 0), (-3, 0)]


class Box:
    pass


def attribute_of_one_path(x, use):
    box = Box()
    if x > 0:
        box.value = x * 10
    if use > 0:
        return box.value
    return 0
