"""The arrays in a list of which only a run knows the length are read, asked and changed."""

import numpy as np

STAGES = ("while_loop",)
CASES = [(0, 0), (1, 0), (3, 1), (4, 2)]


def arrays_of_a_grown_list(n, k):
    points, made = [np.zeros(2)], []
    for i in range(n):
        point = points[-1].copy()
        point[1] += i
        points.append(point)
        made.append(np.full(2, i))
    for each in made:
        each += 5
    doubled = points[1:]
    for point in doubled:
        point *= 2
    if n > k:
        made[k] += 1
        last = made.pop()
        last[0] = 9
        made.insert(0, last)
    return doubled, made, len(doubled)
