"""The gradient of a function that returns from inside of its loop."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(2.0, 5), (1.1, 3), (1.1, 0), (9.0, 1)]


def grown(x, turns):
    y = x
    for _ in range(turns):
        y = y * x
        if y > 7.0:
            return y * 10.0
    return y


def gradient_of_a_returning_loop(x, turns):
    x = rt.convert_to_tensor(x)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = grown(x, turns)
    return tape.gradient(y, x)
