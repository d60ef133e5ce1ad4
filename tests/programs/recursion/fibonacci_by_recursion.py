"""Two calls of itself in one path."""

STAGES = ("cond", "recursion")
CASES = [(10,), (1,), (0,)]


def fibonacci_by_recursion(n):
    if n < 2:
        return n
    return fibonacci_by_recursion(n - 1) + fibonacci_by_recursion(n - 2)
