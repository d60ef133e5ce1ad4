"""A loop in one branch of a conditional, none in the other."""

STAGES = ("cond", "while_loop")
CASES = [(3, 4), (-3, 4), (3, 1), (3, 0)]


def if_around_while(x, n):
    if x > 0:
        while n > 0:
            x += n
            n -= 1
    else:
        x = 0
    return x, n
