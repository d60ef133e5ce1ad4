"""Elements written earlier in a loop are read later in it."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(2,), (3,), (9,)]


def fibonacci_array(n):
    numbers = rt.TensorArray(rt.int32, n).scatter([0, 1], [0, 1])
    for i in range(2, n):
        numbers = numbers.write(i, numbers.read(i - 1) + numbers.read(i - 2))
    return numbers.stack(), numbers.size()
