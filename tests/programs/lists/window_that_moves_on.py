"""A list is cut at the front on a condition, in a Python loop, and read each time."""

STAGES = ("cond",)
CASES = [(3, 1), (0, 0), (-1, 2)]


def window_that_moves_on(n, k):
    window, firsts, largest, waiting = [], [], [], []
    for i, value in enumerate([5, 3, 8, 1, 9, 2]):
        window.append(i)
        if i > n + 1:
            window = window[1:]
        firsts.append(window[0])
        waiting.append((value + k, i))
        if len(waiting) > n:
            waiting = waiting[1:]
        largest.append(max([0, *(each for each, _ in waiting)]))
    table = [[0], [0]]
    if n > k:
        table = [[1], [2]]
    table[0][0] += 1
    return firsts, largest, table
