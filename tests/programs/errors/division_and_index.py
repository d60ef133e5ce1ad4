"""Division by zero and an index that is too large, caught as Python's own errors."""

STAGES = ("try_except",)
CASES = [(2, [1, 2, 3]), (0, [1, 2, 3]), (5, [1, 2, 3])]


def division_and_index(n, xs):
    try:
        quotient = 10 // n
    except ZeroDivisionError:
        quotient = -1
    try:
        item = xs[n]
    except IndexError:
        item = -2
    return quotient, item
