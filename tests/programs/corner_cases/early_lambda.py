"""A lambda made before a loop sees the value that the loop left in its variable."""

STAGES = ("while_loop",)
CASES = [(3,), (0,), (1,)]


def early_lambda(n):
    a = 0
    read = lambda: a * 10
    for i in range(n):
        a = a + i
    return read() + a
