"""A training loop over a dataset: the tape watches a variable, and an optimizer changes it."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1.0, 2.0, 3.0, 4.0], 6.0), ([1.0], 0.0), ([2.0, 2.0], -4.0), ([], 1.0)]
weight = rt.Variable(0.0)
optimizer = rt.nn.optimizers.SGD(0.05)


def variables_of_a_training_loop(xs, slope):
    weight.assign(0.5)
    losses = []
    for x in rt.data.Dataset.from_tensor_slices(rt.convert_to_tensor(xs, rt.float32)):
        with rt.GradientTape() as tape:
            loss = (weight * x - slope * x) ** 2
        slopes = tape.gradient(loss, [weight])
        optimizer.apply_gradients(zip(slopes, [weight]))
        losses.append(loss)
    return weight.read_value(), len(losses)
