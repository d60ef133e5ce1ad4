"""`not` of a comparison and of a combination."""

STAGES = ("cond",)
CASES = [(1, 5), (6, 5), (-1, 5)]


def logical_not(x, limit):
    if not (0 <= x and x < limit):
        x = 0
    if not x == 0:
        x = limit - x
    return x
