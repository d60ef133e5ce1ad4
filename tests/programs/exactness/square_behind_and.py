"""An operand behind `and` or `or` is not computed where Python would not: it may be too large."""

STAGES = ("while_loop", "cond")
CASES = [(0,), (5,), (100000,), (-100000,)]
ALWAYS = {"for i in range(n, n + 3):": "three turns"}


def square_behind_and(n):
    count = 0
    for i in range(n, n + 3):
        if i < 9 and i > -9 and i * i > 3:
            count += 1
        if i > 9 or i < -9 or i * i < 3:
            count += 10
    return count
