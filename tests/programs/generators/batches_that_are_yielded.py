"""A generator that gathers items in a list of its own, and yields their sums."""

STAGES = ("cond", "while_loop")
CASES = [(7, 3), (1, 2), (0, 2), (4, 2), (5, 9)]


def batches(n, size):
    held = []
    for k in range(n):
        held.append(k * k)
        if len(held) == size:
            yield sum(held)
            held = []
    if held:
        yield -sum(held)


def batches_that_are_yielded(n, size):
    sums, last = [], 0
    for total in batches(n, size):
        sums.append(total)
        last = total - last
    return sums, last
