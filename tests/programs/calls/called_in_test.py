"""A function called in a loop's test runs once per test."""

STAGES = ("while_loop",)
CASES = [(1, 50), (60, 50), (1, 2)]


def called_in_test(x, limit):
    steps = 0
    while below(x, limit):
        x = x * 2 + 1
        steps += 1
    return x, steps


def below(value, limit):
    return value < limit
