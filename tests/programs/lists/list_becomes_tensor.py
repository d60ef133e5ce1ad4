"""A filtered list becomes a tensor."""

import runtime as rt

STAGES = ("while_loop", "cond")
CASES = [([3, 1, 2],), ([3],), ([],)]


def list_becomes_tensor(xs):
    l = []
    for x in xs:
        if x > 1:
            l.append(x)
    return rt.stack(l), rt.reduce_sum(rt.stack(l))
