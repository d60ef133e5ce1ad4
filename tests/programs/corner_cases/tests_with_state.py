"""A test that changes a variable changes it once for every time it is evaluated."""

STAGES = ("while_loop",)
CASES = [(0,), (2,), (9,), (3,)]


def tests_with_state(x):
    count = 0

    def below(v):
        nonlocal count
        count = count + 1
        return v < 5

    while below(x):
        x = x + 2
    return x, count
