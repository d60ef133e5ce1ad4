"""A tensor chooses one of three generators, and a loop iterates over it."""

STAGES = ("cond", "while_loop")
CASES = [(4, 9), (4, 0), (3, -2), (1, 0), (0, 9), (0, 0), (0, -2), (1, -2), (1, 9), (2, 0)]


def up(n):
    for k in range(n):
        yield k


def odd(n):
    for k in range(n):
        if k % 2 == 1:
            yield k


def chosen_by_a_tensor(n, t):
    if t > 5:
        numbers = up(n)
    elif t < 0:
        numbers = odd(n)
    else:
        numbers = (10 * k for k in odd(n))
    total = 1
    for v in numbers:
        total = total * 3 + v
    return total
