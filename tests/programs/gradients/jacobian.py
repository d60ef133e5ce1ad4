"""A Jacobian: the gradients of each result of a loop by each number of its argument."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1.0, 2.0], 2), ([3.0, -1.0], 0), ([0.5, 0.25], 1)]


def jacobian(xs, turns):
    xs = rt.convert_to_tensor(xs)
    with rt.GradientTape() as tape:
        tape.watch(xs)
        ys = xs
        for _ in range(turns):
            ys = ys * rt.reduce_sum(xs) + xs
    return tape.jacobian(ys, xs)
