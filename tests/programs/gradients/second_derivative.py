"""Two nested tapes: the second derivative, through a loop."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(2.0, 3), (-1.5, 2), (3.0, 0), (0.5, 1)]


def second_derivative(x, turns):
    x = rt.convert_to_tensor(x)
    with rt.GradientTape() as outer:
        outer.watch(x)
        with rt.GradientTape() as inner:
            inner.watch(x)
            y = x
            for _ in range(turns):
                y = y * x
        slope = inner.gradient(y, x)
    return slope, outer.gradient(slope, x, unconnected_gradients="zero")
