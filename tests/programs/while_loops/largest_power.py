"""A loop whose trip count depends on the value that it computes."""

STAGES = ("while_loop",)
CASES = [(1,), (2,), (100,), (1000,)]


def largest_power(limit):
    power = 1
    while power * 2 <= limit:
        power *= 2
    return power
