"""A branch creates a row, an object and an array, and a nested branch appends them to lists."""

import numpy as np

STAGES = ("cond",)
CASES = [(1,), (2,), (3,), (4,)]


class Point:
    def __init__(self, x):
        self.x = x


def appended_in_a_nested_branch(n):
    rows, points, arrays = [], [], []
    if n > 1:
        row, point, array = [n * 2], Point(n * 3), np.full(2, 0.5)
        array[0] = n
        if n > 2:
            rows.append(row)
            points.append(point)
            arrays.append(array)
        if n > 3:
            points.append(Point(n))
            arrays.append(array + 1)
        row[0] += 1
    return rows, [each.x for each in points], [each[0] for each in arrays]
