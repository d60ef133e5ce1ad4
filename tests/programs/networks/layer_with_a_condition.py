"""A custom layer whose `call` has a conditional and a loop."""

import runtime as rt

STAGES = ("cond", "while_loop")
CASES = [([4.0, 8.0], 1), ([0.5, 0.25], 3), ([1.0, 2.0], 0)]


class Halving(rt.nn.layers.Layer):
    def call(self, x, least):
        if rt.reduce_sum(x) > 10:
            x = x - 1
        for _ in range(least):
            x = x / 2
        return x


layer = Halving()


def layer_with_a_condition(x, turns):
    return layer(rt.convert_to_tensor(x), turns)
