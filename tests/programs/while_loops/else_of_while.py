"""The `else` of a `while` runs unless a `break` ended it, which a tensor decides."""

STAGES = ("while_loop", "cond")
CASES = [(5, 3), (5, 9), (0, 3), (1, 3)]


def else_of_while(n, stop):
    steps = 0
    while n > 0:
        if n == stop:
            break
        n -= 1
        steps += 1
    else:
        steps = -steps
    return n, steps
