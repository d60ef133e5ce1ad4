"""A line fitted by gradient descent in a loop that ends where gradients are small."""

import runtime as rt

STAGES = ("while_loop",)
ALWAYS = {"while rt.norm": "it begins with slopes that are not flat"}
CASES = [([0.0, 1.0, 2.0], [1.0, 3.0, 5.0]), ([1.0, 2.0], [0.0, 0.0]), ([1.0, 3.0], [2.0, 2.0])]


def descent_until_flat(xs, ys):
    xs, ys = rt.convert_to_tensor(xs), rt.convert_to_tensor(ys)
    line = rt.zeros([2])
    steps, slopes = 0, rt.ones([2])
    while rt.norm(slopes) > 0.05:
        with rt.GradientTape() as tape:
            tape.watch(line)
            loss = rt.reduce_mean((line[0] * xs + line[1] - ys) ** 2)
        slopes = tape.gradient(loss, line)
        line = line - 0.1 * slopes
        steps += 1
        if steps == 40:
            break
    return line, steps
