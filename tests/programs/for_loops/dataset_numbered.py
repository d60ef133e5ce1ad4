"""`enumerate` and `zip` of datasets, whose elements may be tuples and dicts of tensors."""

import runtime as rt

STAGES = ("while_loop",)
CASES = [([1, 2, 3], 2), ([4], 0), ([5, 6], 7), ([], 1)]


def dataset_numbered(xs, limit):
    points = rt.data.Dataset.from_tensor_slices({"x": xs, "y": xs})
    total = 0
    for at, point in enumerate(points):
        if at == limit:
            continue
        total += point["x"] * at
    for point, (x, y) in zip(points, rt.data.Dataset.from_tensor_slices((xs, xs)).skip(1)):
        total += point["y"] * x + y
    return total
