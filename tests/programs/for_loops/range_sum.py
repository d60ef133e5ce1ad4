"""`for` over `range(n)`."""

STAGES = ("while_loop",)
CASES = [(5,), (1,), (0,)]


def range_sum(n):
    total = 0
    for i in range(n):
        total += i
    return total
