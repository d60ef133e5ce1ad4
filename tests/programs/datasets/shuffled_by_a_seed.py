"""A shuffled dataset has the order of its seed each time, on Python values and when staged."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([3, 1, 2, 5],), ([],), ([7],)]


def shuffled_by_a_seed(xs):
    total = 0
    for x in rt.data.Dataset.from_tensor_slices(rt.cast(xs, rt.int32)).shuffle(3, seed=4):
        total = total * 10 + x
    return total
