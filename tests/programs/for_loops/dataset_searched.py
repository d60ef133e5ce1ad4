"""A `return` inside a `for` over a dataset, with a value for the case that none is found."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1, 7, 9], 5), ([1, 2, 3], 5), ([6], 5), ([], 5)]


def dataset_searched(xs, limit):
    for x in rt.data.Dataset.from_tensor_slices(xs):
        if x > limit:
            return x
    return -1
