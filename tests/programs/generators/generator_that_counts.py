"""A generator counts the items taken from it, in a loop that a tensor leaves early."""

STAGES = ("cond",)
CASES = [(0,), (9,)]


def generator_that_counts(n):
    taken = 0

    def numbers():
        nonlocal taken
        for i in range(4):
            taken += 1
            yield i

    for x in numbers():
        if x == n:
            break
    return taken
