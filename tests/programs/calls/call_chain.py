"""Three functions deep, with a loop at the bottom."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


def call_chain(n):
    return twice_the_sum(n) + 1


def twice_the_sum(n):
    return 2 * sum_below(n)


def sum_below(n):
    total = 0
    for i in range(n):
        total += i
    return total
