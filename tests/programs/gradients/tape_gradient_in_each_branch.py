"""A tape that is not persistent computes its gradient in each branch, of which one is taken."""

import runtime as rt

STAGES = ("cond",)
CASES = [(2.0,), (-0.5,), (-3.0,)]


def tape_gradient_in_each_branch(x):
    x = rt.cast(x, rt.float32)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * x * x
    if x > 0:
        slope = tape.gradient(y, x)
    elif x > -1:
        slope = -tape.gradient(y, x)
    else:
        slope = 0.0 * x
    return slope
