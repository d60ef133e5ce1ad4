"""Augmented assignment to names, items and attributes; the index is evaluated once."""

STAGES = ("while_loop", "cond")
CASES = [(3,), (1,), (0,)]


class Box:
    def __init__(self):
        self.value = 1


def augmented_targets(n):
    box, items, asked = Box(), [1, 2, 3], 0

    def place():
        nonlocal asked
        asked += 1
        return asked % 3

    for i in range(n):
        box.value *= 2
        items[1] -= i
        if i > 0:
            items[-1] += box.value
    items[place()] **= 2
    box.value -= 1
    return items, box.value, asked
