"""Tensors of a list that grew, joined and stacked along axes that are not the first one."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3,), (1,)]
ALWAYS = {"for k in range(n):": "of no tensors there is none to join"}


def joined_along_other_axes(n):
    parts, wider = [], []
    for k in range(n):
        parts.append(rt.fill([2, 1], k))
        wider.append(rt.fill([2, k], k))
    return rt.concat(parts, 1), rt.concat(wider, -1), rt.stack(parts, 1), rt.stack(parts, -1)
