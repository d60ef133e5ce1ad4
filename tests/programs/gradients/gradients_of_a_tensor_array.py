"""Gradients through a TensorArray that a loop writes, read again and stacked."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1.0, 2.0, 3.0],), ([4.0],), ([],)]


def gradients_of_a_tensor_array(xs):
    xs = rt.convert_to_tensor(xs, rt.float32)
    with rt.GradientTape() as tape:
        tape.watch(xs)
        sums = rt.TensorArray(rt.float32, size=0, dynamic_size=True, clear_after_read=False)
        sums = sums.write(0, 1.0)
        at = 0
        for x in xs:
            sums = sums.write(at + 1, sums.read(at) * x)
            at += 1
        total = rt.reduce_sum(sums.stack())
    return total, tape.gradient(total, xs, unconnected_gradients="zero")
