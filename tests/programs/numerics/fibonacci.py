"""The n-th Fibonacci number: two variables exchanged in a loop."""

STAGES = ("while_loop",)
CASES = [(0,), (1,), (20,)]


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
