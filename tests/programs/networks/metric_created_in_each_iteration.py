"""A metric that each iteration of a loop creates, beside one that counts all iterations."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1.0, 3.0],), ([10.0, 30.0, 2.0],), ([],), ([5.0],)]


def metric_created_in_each_iteration(xs):
    total, twice = rt.nn.metrics.Sum(), rt.constant(0.0)
    for x in rt.convert_to_tensor(xs, rt.float32):
        both = rt.nn.metrics.Sum()
        both.update_state(x)
        both.update_state(x)
        total.update_state(x)
        twice = twice + both.result()
    return total.result(), twice
