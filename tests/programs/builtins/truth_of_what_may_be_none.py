"""`bool`, `any` and conditions of comprehensions on optional values and on objects."""

STAGES = ("cond", "while_loop")
CASES = [(0, 1), (3, 1), (5, 2), (1, 0), (0, 3)]


class Level:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value > 1)


def truth_of_what_may_be_none(x, y):
    k = None
    if x > 2:
        k = x
    level = Level(x)
    kept = [v for v in range(y) if level if v > 0]
    return bool(k), any([k]), any(k for _ in range(y)), any(level for _ in range(y)), kept
