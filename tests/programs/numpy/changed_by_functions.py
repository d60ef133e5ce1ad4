"""NumPy's functions that change an array change one that a run fills, under all its names."""

import numpy as np

STAGES = ()


def changed_by_functions(i, x):
    held = np.zeros(6)
    held[i] = x
    same = held
    np.put(held, [0, 2, i], [x, 7])
    np.putmask(held, held > 2, [1, 2, 3])
    np.place(held, held < 1, [4, x])
    np.copyto(held, held * 2, where=held > 3)
    np.multiply(held, 2, same[:])
    np.add(held, x, out=held, where=held < 9)
    square = np.zeros((3, 2), int)
    square[i, 1] = x
    np.fill_diagonal(square, [x, 5])
    square.put(4, x)
    held.flat = held * square.sum()
    return held, same, square


CASES = [(0, 2.75), (2, 3.0), (1, -0.5)]
