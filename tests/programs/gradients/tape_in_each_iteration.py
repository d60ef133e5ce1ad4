"""Newton's method: each iteration of the loop has its own tape, for the gradient at that point."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(2.0, 1.0), (9.0, 1.0), (9.0, 3.01), (4.0, 2.0)]


def tape_in_each_iteration(number, start):
    x = rt.convert_to_tensor(start)
    turns = 0
    while rt.abs(x * x - number) > 0.001:
        with rt.GradientTape() as tape:
            tape.watch(x)
            error = x * x - number
        x = x - error / tape.gradient(error, x)
        turns += 1
    return x, turns
