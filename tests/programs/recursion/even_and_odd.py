"""Two functions that call each other; each decides one half of the numbers."""

STAGES = ("cond", "recursion")
CASES = [(0,), (7,), (10,)]


def even_and_odd(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and even_and_odd(n - 1)
