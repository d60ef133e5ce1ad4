"""A loop that calls a function which calls itself."""

STAGES = ("cond", "while_loop", "recursion")
CASES = [(12, 18, 3), (7, 5, 0), (35, 14, 1)]


def recursion_in_loop(a, b, times):
    total = 0
    while times > 0:
        total = total + divisor(a * times, b)
        times = times - 1
    return total


def divisor(a, b):
    return a if b == 0 else divisor(b, a % b)
