"""Batches, the last of them short or left out, and windows that overlap."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1, 2, 3, 4, 5],), ([3, 1, 2],), ([8],), ([],)]


def batches_and_windows(xs):
    rows = rt.data.Dataset.from_tensor_slices(rt.convert_to_tensor(xs, rt.int32))
    short = [rt.reduce_sum(batch) for batch in rows.batch(2)]
    whole = [batch[0] * batch[1] for batch in rows.batch(2, drop_remainder=True)]
    moving = rows.window(3, shift=1, drop_remainder=True).flat_map(lambda w: w.batch(3))
    return len(short), sum(short), sum(whole), sum(rt.reduce_max(w) for w in moving)
