"""A `return` inside a `while`; the code after the loop runs only without it."""

STAGES = ("while_loop",)
CASES = [(10, 30), (3, 30), (0, 0), (1, 30)]


def return_in_while(n, limit):
    total = 0
    while n > 0:
        total += n
        if total > limit:
            return n
        n -= 1
    return -total
