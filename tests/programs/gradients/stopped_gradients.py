"""`stop_gradient`, and values computed while the tape does not record, are constants."""

import runtime as rt

STAGES = ("cond",)
CASES = [(3.0,), (-3.0,)]


def stopped_gradients(x):
    x = rt.convert_to_tensor(x)
    with rt.GradientTape() as tape:
        tape.watch(x)
        scale = rt.stop_gradient(x * x)
        with tape.stop_recording():
            shift = x * 100.0
        if x > 0:
            y = scale * x + shift
        else:
            y = scale * x - shift * x
    return y, tape.gradient(y, x)
