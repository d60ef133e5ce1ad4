"""Sums and lengths of the tensors of a list that grew, and the tensors scaled down together."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [(3,), (1,), (12,)]
ALWAYS = {"for k in range(n):": "of no tensors there is no sum"}


def added_up_and_scaled(n):
    rows = [rt.constant([3.0, 4.0])]
    for k in range(n):
        rows.append(rt.constant([0.5, 1.0]) * rt.cast(k, rt.float32))
    scaled, length = rt.clip_by_global_norm(rows, 2.0)
    total = rt.add_n(rows) + rt.math.accumulate_n(scaled)
    return total, scaled, length, rt.linalg.global_norm(scaled), rt.identity_n(rows)
