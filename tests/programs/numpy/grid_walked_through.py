"""An array in an attribute, read in a loop at where the walk has come to."""

from types import SimpleNamespace

import numpy as np

STAGES = ("while_loop",)
CASES = [(0, 0), (2, 1), (1, 2)]
ALWAYS = {"while world.steps[row, column, 0] >= 0:": "each walk has another end"}

moves = np.array([[[0, 1], [1, 0], [1, 0]], [[1, 0], [0, -1], [1, 0]], [[0, 1], [0, 1], [-1, -1]]])
world = SimpleNamespace(steps=moves)


def grid_walked_through(row, column):
    seen = 0
    while world.steps[row, column, 0] >= 0:
        move = world.steps[row, column]
        row, column, seen = row + move[0], column + move[1], seen + 1
    return row, column, seen
