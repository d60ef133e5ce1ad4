"""The arrays in a list of which only a run knows the length are read, asked and changed."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(1, 0), (3, 1), (4, 2)]


def arrays_of_a_grown_list(n, k):
    rows, points = [np.zeros(2)], [np.zeros(2)]
    for i in range(n):
        row = np.zeros(2)
        row[0] = i
        rows.append(row)
        point = points[-1].copy()
        point[1] += i
        points.append(point)
    for row in rows[1:]:
        row *= 2
    made = []
    for i in range(n):
        made.append(np.full(2, i))
    for each in made:
        each += 5
    made[k] += 1
    last = made.pop()
    last[0] = 9
    return [row.sum() for row in points], made, last, points[k].max()
