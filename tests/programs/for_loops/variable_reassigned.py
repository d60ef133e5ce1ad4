"""Assigning to the loop variable changes this iteration only."""

STAGES = ("while_loop",)
CASES = [(4,), (0,), (1,)]


def variable_reassigned(n):
    total = 0
    for i in range(n):
        i = i * 10
        total += i
    return total
