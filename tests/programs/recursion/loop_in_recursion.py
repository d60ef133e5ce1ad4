"""Calls of itself in a loop: the number of ordered ways to write a number as a sum."""

STAGES = ("cond", "while_loop", "recursion")
CASES = [(5,), (0,), (1,), (-1,)]


def loop_in_recursion(n):
    if n == 0:
        return 1
    ways = 0
    k = n
    while k > 0:
        ways = ways + loop_in_recursion(n - k)
        k = k - 1
    return ways
