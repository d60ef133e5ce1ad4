"""Arrays in lists, dicts and tuples are the arrays that other names show."""

import numpy as np

STAGES = ("cond", "while_loop")
CASES = [(3,), (0,), (1,)]
ALWAYS = {"for row in rows:": "there are two"}


def arrays_in_containers(n):
    rows = [np.zeros(3), np.ones(3)]
    named = {"first": rows[0], "pair": (rows[1], rows[0])}
    last = rows[-1]
    for i in range(n):
        rows[0][i] = 5
        named["pair"][0][i] += 2.0
    if n > 1:
        named["first"][1] = -1
    last[0] = 8
    for row in rows:
        row[2] = 4
    return rows, named, last
