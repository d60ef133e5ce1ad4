"""A closure made before a loop reads the variable's value after it."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


def lambda_sees_later_value(n):
    total = 0
    read = lambda: total * 10
    for i in range(n):
        total += i
    return read()
