"""A nested function changes a variable of the function around it from inside a loop."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


def nonlocal_counter(n):
    total = 0

    def add(v):
        nonlocal total
        total = total + v

    for i in range(n):
        add(i * i)
    return total
