"""`continue` in a `while`: the counter moves before it."""

STAGES = ("while_loop",)
CASES = [(9,), (0,), (1,)]


def continue_in_while(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 3 == 1:
            continue
        total += n
    return total
