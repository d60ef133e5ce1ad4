"""`scan` carries a state from element to element, `take_while` ends, `reduce` folds all."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1, 2, 3, 4], 7), ([3, 9], 7), ([9], 5), ([1, 1], 5), ([], 1)]


def running_sums(xs, limit):
    rows = rt.data.Dataset.from_tensor_slices(rt.convert_to_tensor(xs, rt.int32))
    sums = rows.scan(rt.constant(0), lambda total, x: (total + x, total + x))
    kept = [total for total in sums.take_while(lambda total: total < limit)]
    product = rows.reduce(rt.constant(1), lambda product, x: product * x)
    return kept, product
