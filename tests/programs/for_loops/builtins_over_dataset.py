"""`any`, `all`, `map`, `filter` and `sum` iterate over a dataset, no further than in Python."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1, 2, 3], 2), ([4], 5), ([5, 6], 4), ([], 1)]


def builtins_over_dataset(xs, limit):
    dataset = rt.data.Dataset.from_tensor_slices(xs)
    above = sum(filter(lambda x: x > limit, dataset))
    squares = sum(map(lambda x: x * x, dataset))
    return any(x > limit for x in dataset), all(x > limit for x in dataset), above, squares
