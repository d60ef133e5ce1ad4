"""The gradient of a loop that multiplies until a limit: one factor for each iteration."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3.0, 50.0), (2.0, 1.5), (1.5, 30.0), (4.0, 5.0)]


def gradient_of_a_while(x, limit):
    x = rt.convert_to_tensor(x)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x
        while y < limit:
            y = y * x
    return y, tape.gradient(y, x)
