"""A list that grew is grouped by `tuple`, and its tensors are asked for their shapes."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(0,), (1,), (4,)]


def tensors_of_a_grown_list(n):
    l = []
    for i in rt.range(n):
        l.append(rt.fill([2], i * 2))
    grouped = rt.tuple(l)
    again = rt.tuple(tensors=l, control_inputs=[n])
    again.append(rt.constant([5, 5]))
    total = 0
    for shape in rt.shape_n(grouped):
        total += shape[0]
    return grouped, len(l), total, rt.add_n(again)
