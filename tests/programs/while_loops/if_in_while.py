"""A conditional inside a loop changes part of the loop's state."""

STAGES = ("while_loop", "cond")
CASES = [(6,), (1,), (0,)]


def if_in_while(n):
    evens = 0
    odds = 0
    while n > 0:
        if n % 2 == 0:
            evens += n
        else:
            odds += n
        n -= 1
    return evens, odds
