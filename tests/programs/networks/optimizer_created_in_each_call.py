"""An optimizer with momentum that each call creates: its slots start at zero in each of them."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(1.0, 3), (2.0, 2), (-1.0, 0), (4.0, 1)]


def optimizer_created_in_each_call(x, steps):
    weight.assign(x)
    optimizer = rt.nn.optimizers.SGD(0.1, momentum=0.9)
    for _ in range(steps):
        optimizer.apply_gradients([(weight * 2.0, weight)])
    return weight.read_value()


weight = rt.Variable(0.0, name="weight")
