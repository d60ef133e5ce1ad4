"""Branches and loops change arrays that numbers of the run pick out of a list."""

import numpy as np

STAGES = ("cond", "while_loop")
CASES = [(0, 0), (1, 0), (2, 1), (3, 2)]


def arrays_of_a_list_changed_at_places(n, k):
    rows = [np.array([1, 1]), np.array([2, 1])]
    picked = rows[n % len(rows)]
    if n > 1:
        picked[1] += 9
    for i in range(n):
        picked += 3
        rows[i % len(rows)][k % 2] += 5
    kept = [np.array([5, 1])]
    for _ in range(n):
        kept.append(kept[k % len(kept)])
    return rows, picked, kept
