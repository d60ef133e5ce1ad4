"""An `if` inside both branches of another `if`."""

STAGES = ("cond",)
CASES = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def nested_if(x, y):
    if x > 0:
        if y > 0:
            quadrant = 1
        else:
            quadrant = 4
    else:
        if y > 0:
            quadrant = 2
        else:
            quadrant = 3
    return quadrant
