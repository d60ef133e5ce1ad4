"""`range` with a negative step counts down."""

STAGES = ("while_loop",)
CASES = [(5,), (1,), (-1,)]


def range_down(n):
    digits = 0
    for i in range(n, -1, -2):
        digits = digits * 10 + i
    return digits
