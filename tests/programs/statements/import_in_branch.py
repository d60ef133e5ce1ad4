"""Imports inside a function, a branch and a loop."""

STAGES = ("cond", "while_loop")
CASES = [(3,), (-3,), (0,), (1,)]


def import_in_branch(x):
    import math

    total = 0
    if x > 0:
        from math import floor as down

        total += x * down(2.7)
    else:
        import math as numbers

        total -= x * int(numbers.pow(2, 3))
    for i in range(x):
        import operator

        total = operator.add(total, i)
    return total + int(math.sqrt(16))
