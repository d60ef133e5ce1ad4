"""Steps of the Collatz sequence until one."""

STAGES = ("while_loop", "cond")
CASES = [(1,), (6,), (27,), (2,)]


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
