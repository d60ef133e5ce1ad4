"""`while True` ended by a `return`, with nothing after it."""

STAGES = ("while_loop",)
CASES = [(17,), (64,), (1,)]


def return_in_while_true(n):
    steps = 0
    while True:
        if n <= 1:
            return steps
        n = n // 2
        steps += 1
