"""A function with two returns is one part of the test of a `while`."""

STAGES = ("cond", "while_loop")


def may_go_on(i, barrier):
    if i == barrier:
        return False
    return True


def condition_with_a_function(n, barrier):
    i = 0
    while may_go_on(i, barrier) and i < n:
        i += 1
    return i


CASES = [(5, 3), (1, 3), (2, 3), (4, 0), (0, 1)]
