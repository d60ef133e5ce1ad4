"""A function with a custom gradient, which a conditional decides, inside of a loop."""

import runtime as rt

STAGES = ("cond", "while_loop")
CASES = [(0.5, 3, 0.5), (2.0, 2, 4.0), (0.5, 0, 1.0), (0.1, 1, 2.0)]


@rt.custom_gradient
def clipped_slope(x):
    def slope(dy):
        if dy > 1.0:
            return rt.ones_like(dy)
        return dy

    return x * x * x, slope


def custom_gradient(x, turns, scale):
    x = rt.convert_to_tensor(x)
    with rt.GradientTape() as tape:
        tape.watch(x)
        y = x * 4.0
        for _ in range(turns):
            y = clipped_slope(y) * scale
    return tape.gradient(y, x)
