"""Rows of a matrix read one by one, and gathered."""

import runtime as rt

STAGES = ("while_loop",)
ALWAYS = {"for i in range(rows.size())": "there is a first one"}
CASES = [([[1.0, 2.0], [3.0, 4.0]],), ([[0.5]],)]


def running_rows(matrix):
    rows = rt.TensorArray(rt.float32, size=0, dynamic_size=True).unstack(matrix)
    total = rt.zeros_like(rows.read(0))
    for i in range(rows.size()):
        total += rows.read(i)
    return total, rows.gather([0, 0]), rows.concat()
