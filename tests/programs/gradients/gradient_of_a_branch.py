"""The gradient of a conditional's result: of the branch taken, and of nothing else."""

import runtime as rt

STAGES = ("cond",)
CASES = [(3.0,), (-2.0,), (0.0,)]


def gradient_of_a_branch(x):
    x = rt.convert_to_tensor(x)
    with rt.GradientTape() as tape:
        tape.watch(x)
        if x > 0:
            y = x * x
        else:
            y = 3.0 * x
    return y, tape.gradient(y, x)
