"""Elements of a dataset are mapped, filtered and gathered in batches; the last may be short."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1, -2, 3, 4, 5],), ([-3, 2, 7],), ([0],), ([],)]
ALWAYS = {
    "if x < 0:": "a function that a dataset is given is traced, with both branches, and not called",
    "for batch in": "the way through it cannot be counted, since that function is converted",
}


def size(x):
    if x < 0:
        return -x
    return x


def dataset_steps(xs):
    sizes = rt.data.Dataset.from_tensor_slices(xs).map(size)
    largest, rows = 0, 0
    for batch in sizes.filter(lambda x: x != 3).batch(2):
        rows += 1
        largest = max(largest, rt.reduce_max(batch))
    return largest, rows
