"""A `while` with two loop variables; a false test at the start runs no iteration."""

STAGES = ("while_loop",)
CASES = [(5,), (1,), (0,), (-3,)]


def countdown(n):
    total = 0
    while n > 0:
        total = total + n
        n = n - 1
    return total
