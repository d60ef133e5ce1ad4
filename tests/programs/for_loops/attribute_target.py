"""A loop whose target is an attribute, left by a condition on a tensor."""

STAGES = ("cond",)
CASES = [(2,), (5,)]


class Box:
    value = 0


def attribute_target(n):
    box = Box()
    box.value = 0
    for box.value in range(2):
        if n > 3:
            break
        box.value = n * 2
    return box.value + n
