"""An exception of the user's own class has the values of the run that raises it."""

STAGES = ("while_loop", "cond")
CASES = [([3, 1, 2], 5), ([3, 9, 2], 5), ([], 5), ([3], 5)]


class TooLarge(ValueError):
    def __init__(self, position, value):
        super().__init__("too large", position, value)


def raise_with_values(xs, limit):
    total, position = 0, 0
    for v in xs:
        if v > limit:
            raise TooLarge(position, v)
        total += v
        position += 1
    return total
