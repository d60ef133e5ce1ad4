"""The first large item of a table is returned from inside `with`, `try` and two loops."""

import contextlib

STAGES = ("while_loop", "cond")
ALWAYS = {"for v in row:": "a matrix without columns is no list of lists of numbers"}
CASES = [([[1, 2], [3, 9], [5, 6]], 4), ([[1, 1], [2, 2]], 4), ([[7, 8]], 4), ([], 4)]


def return_through_blocks(rows, limit):
    met = 0
    for row in rows:
        with contextlib.nullcontext():
            try:
                for v in row:
                    met = met + 1
                    if v > limit:
                        return v, met
            finally:
                met = met + 100
    return -1, met
