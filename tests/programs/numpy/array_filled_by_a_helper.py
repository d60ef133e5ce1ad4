"""Arrays that helpers fill: a function, a method, a closure, a default, a lambda."""

import numpy as np

STAGES = ("while_loop",)
CASES = [([1.5, 2.0, 3.0], 2), ([4.0, 0.5, -1.0], 0), ([0.0, 7.0, 1.0], 1)]


def fill(out, x):
    for i in range(3):
        out[i] = x[i]


def array_filled_by_a_helper(x, n):
    first, second = np.zeros(3), np.empty(3)
    second[:] = 0
    put = lambda i, v: second.__setitem__(i, v)

    def double(k, out=first):
        out[k] *= 2

    fill(first, x)
    for k in range(n):
        double(k)
        fill(second, x)
        put(2, 5)
    return first, second
