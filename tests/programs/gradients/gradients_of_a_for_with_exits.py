"""Gradients of a loop over rows with `continue` and `break`: rows not reached have gradient 0."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([2.0, -1.0, 3.0, 50.0, 4.0],), ([1.0],), ([99.0, 1.0],), ([],), ([-1.0, -2.0],)]


def gradients_of_a_for_with_exits(xs):
    xs = rt.convert_to_tensor(xs, rt.float32)
    with rt.GradientTape() as tape:
        tape.watch(xs)
        total = 1.0
        for x in xs:
            if x < 0:
                continue
            if x > 40:
                break
            total = total * x
        total = total + rt.reduce_sum(xs) * 0.5
    return tape.gradient(total, xs)
