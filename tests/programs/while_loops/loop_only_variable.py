"""A variable that lives inside the body only is no loop state."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


def loop_only_variable(n):
    total = 0
    while n > 0:
        square = n * n
        total += square
        n -= 1
    return total
