"""The textbook's recursion: a function that calls itself, ended by its argument."""

STAGES = ("cond", "recursion")
CASES = [(5,), (1,), (0,), (10,)]


def factorial_by_recursion(n):
    return 1 if n <= 1 else n * factorial_by_recursion(n - 1)
