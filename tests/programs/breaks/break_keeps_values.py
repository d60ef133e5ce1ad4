"""The effects of an iteration before its `break` stay; the loop variable keeps its value."""

STAGES = ("while_loop",)
CASES = [(10, 3), (2, 3), (0, 3), (1, 3)]


def break_keeps_values(n, stop):
    i = -1
    seen = 0
    for i in range(n):
        seen += 1
        if i == stop:
            break
        seen += 100
    return i, seen
