"""Arrays nobody else can see are changed by loops: in branches, nested, as parts, under `try`."""

import numpy as np

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (5,), (1,)]
ALWAYS = {
    "for k in range(n):": "one of the two is under a branch for more",
    "for j in range(n):": "it stands in a loop of the same length",
}


def arrays_filled_by_loops(n):
    counts, grid = np.zeros(3), np.arange(6.0).reshape(2, 3)
    seen = counts
    counts = counts + 1
    if n > 1:
        for k in range(n):
            counts[k % 3] += 1
    for i in range(n):
        for j in range(n):
            grid[i % 2, j % 3] = 7
    try:
        for k in range(n):
            counts[0] = k
    finally:
        grid = grid * 2
    return seen, counts, grid
