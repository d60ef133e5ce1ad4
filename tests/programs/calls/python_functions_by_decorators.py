"""Python code that runs each time the graph reaches it, marked by decorators."""

import numpy as np

import runtime as rt

STAGES = ("while_loop", "cond")
CASES = [(3,), (1,), (0,), (7,)]


@rt.py_function(Tout="int32")
def digits(n):
    return len(str(int(n)))


@rt.numpy_function(Tout=("int32", "int32"))
def apart(n):
    return np.int32(n // 2), np.int32(n % 2)


def python_functions_by_decorators(n):
    total = 0
    for k in range(n):
        half, rest = apart(k)
        if rest == 0:
            total = total + half
        total = total + digits(k * 7)
    return total
