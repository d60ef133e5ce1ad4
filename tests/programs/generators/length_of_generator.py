"""How often a generator yields may depend on a tensor: its loop is a loop of the graph."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        yield a
        a, b = b, a + b


def length_of_generator(n):
    total = 0
    for value in fibonacci(n):
        total = total + value
    return total
