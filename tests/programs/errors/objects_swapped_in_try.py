"""Which of two objects a handler finds under a name depends on where something was raised."""

STAGES = ("try_except", "cond")
CASES = [(2, 2), (0, 1), (1, 5), (5, 0)]


class Box:
    def __init__(self, size):
        self.size = size


def objects_swapped_in_try(x, y):
    left, right = Box(x), Box(y)
    for v in [x, 1, 5]:
        try:
            try:
                if v > 3:
                    left, right = right, left
                left.size += 1
            finally:
                if y == v:
                    raise KeyError("y")
        except KeyError:
            left.size += 100
    return left.size, right.size
