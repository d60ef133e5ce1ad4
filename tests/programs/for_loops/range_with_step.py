"""`range` with start, stop and a positive step."""

STAGES = ("while_loop",)
CASES = [(1, 10, 3), (0, 9, 3), (5, 5, 1), (7, 2, 1), (7, 10, 3)]


def range_with_step(start, stop, step):
    count = 0
    last = -1
    for i in range(start, stop, step):
        count += 1
        last = i
    return count, last
