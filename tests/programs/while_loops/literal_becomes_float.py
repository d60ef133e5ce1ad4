"""An integer literal becomes a float in the loop's first iteration."""

STAGES = ("while_loop",)
DIFFERS = {"widened": "the number before the loop joins the float after an iteration"}
CASES = [(4,), (0.5,), (-1,)]


def literal_becomes_float(n):
    total = 0
    while n > 0:
        total = total + 0.5
        n = n - 1
    return total
