"""Layers that make one tensor of a list, of a list that grew in a loop."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3,), (1,), (5,)]
ALWAYS = {"for k in range(n):": "of no tensors there is none to merge"}


def merged_from_a_grown_list(n):
    layers, parts = rt.nn.layers, []
    for k in range(n):
        parts.append(rt.fill([2, 3], float(k) + 0.5))
    merged = layers.Add()(parts), layers.Average()(parts), layers.Multiply()(parts)
    ends = layers.Maximum()(parts), layers.minimum(parts)
    return merged, ends, layers.Concatenate()(parts), layers.Concatenate(axis=0)(parts)
