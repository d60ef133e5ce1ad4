"""Newton's method: each turn of the loop has a tape of its own, for the slope at that place."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(2.0, 1.0), (9.0, 1.0), (9.0, 3.01), (4.0, 2.0)]


def tape_in_each_turn(number, start):
    x = rt.convert_to_tensor(start)
    turns = 0
    while rt.abs(x * x - number) > 0.001:
        with rt.GradientTape() as tape:
            tape.watch(x)
            error = x * x - number
        x = x - error / tape.gradient(error, x)
        turns += 1
    return x, turns
